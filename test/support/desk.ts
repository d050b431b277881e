/** Asks the process that has set this test run up (`global-setup.ts`). */
export async function askDesk(path: '/database' | '/port'): Promise<string> {
  const desk = process.env['TEST_DESK'];
  if (desk === undefined) throw new Error('No desk: the tests have to be started by vitest.');
  const response = await fetch(desk + path, { method: 'POST' });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

/** The URL of a new, empty database in the PostgreSQL of this test run. */
export async function freshDatabase(): Promise<string> {
  const desk = process.env['TEST_POSTGRES_DESK'];
  if (desk === undefined) throw new Error('No PostgreSQL: the tests have to be started by vitest.');
  const response = await fetch(desk, { method: 'POST' });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

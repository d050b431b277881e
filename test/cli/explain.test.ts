import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { parseSchema } from '../../src/schema/parse.ts';
import { commandLine } from './in-process.ts';

const here = { cwd: tmpdir() };

test('an error is explained with a bad and a good example, whatever the case of its code', async () => {
  const { code, stdout, stderr } = await commandLine(['explain', 'scf002'], here);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^SCF002 {2}\S.*\n\n\S.*\n\nInstead of\n\n {2}\S.*\n\nwrite\n\n {2}\S.*$/);
});

test('a code that a schema raises is explained', async () => {
  const text = 'version: 1\napp: { name: a }\nmodels: { Note: { fields: { body: tekst } } }\n';
  const [problem] = parseSchema(text).problems;
  const { code, stdout } = await commandLine(['explain', problem?.code ?? ''], here);
  expect(code).toBe(0);
  expect(stdout).toContain(problem?.code);
});

test.each([
  ['201', 'SCF201'],
  ['SCG201', 'SCF201'],
])('for %s, the code that was meant is named', async (written, meant) => {
  const { code, stderr } = await commandLine(['explain', written], here);
  expect(code).toBe(2);
  expect(stderr).toContain(`Did you mean \`${meant}\`?`);
});

import { expect, test } from 'vitest';
import { emit } from '../support/emit.ts';

test.each([
  ['postgres', true],
  ['sqlite', false],
])('after seeding, %s is told how many rows there are: %s', (engine, isTold) => {
  const written = emit(`
version: 1
app: { name: notes }
database: ${engine}
models:
  Note: { fields: { title: string } }
`);
  const run = written.find(({ path }) => path === 'seeds/run.ts')?.content ?? '';
  expect(/await sql`analyze \$\{sql\.table\(table\)\}`/.test(run)).toBe(isTold);
});

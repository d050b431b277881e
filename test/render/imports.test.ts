import { expect, test } from 'vitest';
import { withoutUnusedImports } from '../../src/render/imports.ts';

const lines = (...all: readonly string[]) => `${all.join('\n')}\n`;

test('leaves out what the rest of the module does not use', () => {
  const module = lines(
    "import { sql, type Expression } from 'kysely';",
    "import * as enums from '../enums.ts';",
    "import { slot } from '../database/slot.ts';",
    '',
    'export const all = sql`1 = 1`;',
  );
  expect(withoutUnusedImports(module)).toBe(
    lines("import { sql } from 'kysely';", '', 'export const all = sql`1 = 1`;'),
  );
});

test('takes neither comments, keys or members nor the first word of a text for a use', () => {
  const module = lines(
    "import { hash, migrate, role, users } from './all.ts';",
    '',
    '/** Tells a hash from others. */',
    "export const found = { migrate: next('users.id'), other: row.role };",
  );
  expect(withoutUnusedImports(module)).not.toContain('import');
});

test('takes no word of a text for a use, wherever its quotes are', () => {
  const module = lines(
    "import * as enums from '../enums.ts';",
    "import { names } from './names.ts';",
    '',
    "export const about = { description: 'Where old enums and names are kept.' };",
    "export const page = `<a href='${names}'>it's</a>`;",
  );
  const kept = withoutUnusedImports(module);
  expect(kept).not.toContain('../enums.ts');
  expect(kept).toContain('./names.ts');
});

test.each(['[...names]', '`${names}`', '{ names }', 'f(names)', 'names?.at(0)', 'is ? names : 1'])(
  'keeps what `%s` uses',
  (use) => {
    const module = lines("import { names } from './names.ts';", `export const all = ${use};`);
    expect(withoutUnusedImports(module)).toBe(module);
  },
);

test('says `type` once where only types are left', () => {
  const module = lines("import { read, type Row } from './rows.ts';", 'export type Post = Row;');
  expect(withoutUnusedImports(module)).toContain("import type { Row } from './rows.ts';");
});

test('breaks a list as prettier would', () => {
  const [short, long] = [3, 12].map((count) =>
    Array.from({ length: count }, (_, at) => `numberOf${at}`),
  );
  const from = "from './numbers.ts';";
  const moduleOf = (names: readonly string[] = []) =>
    lines(`import { ${names.join(', ')} } ${from}`, `export const all = [${names.join(', ')}];`);
  expect(withoutUnusedImports(moduleOf(short))).toContain(`{ ${short?.join(', ')} } ${from}`);
  expect(withoutUnusedImports(moduleOf(long))).toContain(`import {\n  numberOf0,\n  numberOf1,\n`);
});

import { expect, test } from 'vitest';
import {
  addNeededImports,
  dropUnneededNames,
  listUndeclaredNames,
  undeclaredUses,
} from '../../src/merge/typescript/needed-imports.ts';

const other = `import * as all from './all.ts';
import type { A, B } from './types.ts';
import { one, two as second, three } from './values.ts';
`;

test.each<[string, string, string]>([
  [
    'a name of an import that is there',
    `import { one } from './values.ts';\n\none(three);\n`,
    `import { one, three } from './values.ts';\n\none(three);\n`,
  ],
  [
    'a name of an import over many lines',
    `import {\n  one,\n} from './values.ts';\n\none(three);\n`,
    `import {\n  one,\n  three,\n} from './values.ts';\n\none(three);\n`,
  ],
  [
    'a type and a name that has another here',
    `import { mine } from './mine.ts';\n\nmine<A>(second);\n`,
    `import { mine } from './mine.ts';\nimport type { A } from './types.ts';\nimport { two as second } from './values.ts';\n\nmine<A>(second);\n`,
  ],
  ['a whole module', `all.one();\n`, `import * as all from './all.ts';\n\nall.one();\n`],
  [
    'in the way of the file',
    `import { mine } from "./mine.ts"\n\nmine(one)\n`,
    `import { mine } from "./mine.ts"\nimport { one } from "./values.ts"\n\nmine(one)\n`,
  ],
  ['nothing that the file declares', `const one = 1;\nmine(one);\n`, ''],
  ['nothing for a text that does not parse', `const = one;\n`, ''],
])('what is imported: %s', (_, text, expected) => {
  expect(addNeededImports(text, other)).toBe(expected === '' ? text : expected);
});

test('names that only the other text declares are listed', () => {
  expect(listUndeclaredNames('use(row, one, console);\n', `${other}const row = one;\n`)).toEqual([
    'row',
    'one',
  ]);
});

test('what a file re-exports from another one is not lost', () => {
  expect(
    listUndeclaredNames(
      `export { row, it as one } from './others.ts';\n`,
      'const [row, it] = [1, 2];\n',
    ),
  ).toEqual([]);
  expect(listUndeclaredNames('export { row };\n', 'const row = 1;\n')).toEqual(['row']);
});

const uses = 'use(one, two, three, all);\n';

test.each<[string, string, string]>([
  [
    'the first of an import',
    `import { one, mine } from './values.ts';\n`,
    `import { mine } from './values.ts';\n`,
  ],
  [
    'the last ones of an import',
    `import { mine, two, three } from './values.ts';\n`,
    `import { mine } from './values.ts';\n`,
  ],
  [
    'names on both sides of one that stays',
    `import { one, two, mine as a, three } from './values.ts';\n`,
    `import { mine as a } from './values.ts';\n`,
  ],
  [
    'a name by which it is called here, over many lines',
    `import {\n  mine,\n  second as two,\n} from './values.ts';\n`,
    `import {\n  mine,\n} from './values.ts';\n`,
  ],
  [
    'a whole import with its line, and not the comment above it',
    `// Ours.\nimport { one, two } from './values.ts';\nimport * as all from './all.ts';\nrun();\n`,
    `// Ours.\nrun();\n`,
  ],
  [
    'the names beside a default',
    `import mine, { one } from './values.ts';\n`,
    `import mine from './values.ts';\n`,
  ],
  ['nothing that is used', `import { one } from './values.ts';\n\nuse(one);\n`, ''],
  ['nothing that the other does not use', `import { mine } from './mine.ts';\n`, ''],
  ['no import for what it does', `import './setup.ts';\nimport {} from './values.ts';\n`, ''],
  ['nothing of a text that does not parse', `import { one } from './values.ts';\nconst =;\n`, ''],
])('what is no longer imported: %s', (_, text, expected) => {
  expect(dropUnneededNames(text, uses)).toBe(expected === '' ? text : expected);
});

test('a lost name is found where it is used, and not in texts, comments or members', () => {
  const text =
    "const it = row.row; // row\nconst { row: mine } = it;\nuse(`row ${row}`, 'row', ...row);\n";
  const found = undeclaredUses(text, 'const row = 1;\n');
  expect(found.map(({ name, at }) => text.slice(at - 4, at + name.length))).toEqual([
    't = row',
    'w ${row',
    ' ...row',
  ]);
});

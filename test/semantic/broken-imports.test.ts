import { expect, test } from 'vitest';
import { listBrokenImports } from '../../src/commands/regenerate/semantic/broken-imports.ts';
import { openDisk } from '../../src/project/disk.ts';
import { emptyPlan } from '../../src/project/plan.ts';
import { diskTree } from '../regenerate/support/edit.ts';
import { scratchFolder } from '../support/scratch.ts';

const files: Readonly<Record<string, string>> = {
  'package.json': '{ "imports": { "#lib/*": "./src/lib/*" } }',
  'src/lib/rows.ts':
    'export const listRows = 1;\nexport type Row = string;\nexport function find() {}\n',
  'src/lib/index.ts': "export * from './rows.ts';\nexport { find as findRow } from './rows.ts';\n",
  'src/report.ts': [
    "import { listRows, type Row } from './lib/rows.ts';",
    "import { find as seek } from '#lib/rows.ts';",
    'import {',
    '  findRow, // the one',
    '  listRows as all,',
    "} from './lib/index.ts';",
    "import * as rows from './lib/rows.js';",
    "import { readFile } from 'node:fs/promises';",
    "const text = `import { none } from './none.ts';`;",
    "export const path = './none.ts';",
  ].join('\n'),
  'src/old.ts': "import { wrong } from './lib/rows.ts';\nimport './was-never-there.ts';\n",
};

async function broken(texts: Readonly<Record<string, string | undefined>>) {
  const folder = await scratchFolder('imports');
  const tree = diskTree(folder);
  for (const [path, text] of Object.entries(files)) tree.write(path, text);
  const project = { folder, disk: openDisk(folder) };
  const found = listBrokenImports(project, emptyPlan, new Map(Object.entries(texts)));
  return found.map(({ path, line, message }) => `${path}:${line} ${message}`);
}

test('what is found before and after is not broken; what was broken before is not reported again', async () => {
  expect(await broken({ 'src/lib/more.ts': 'export {};\n' })).toEqual([]);
});

test('a removed file is missed by those who import it, by whatever name', async () => {
  expect(await broken({ 'src/lib/rows.ts': undefined })).toEqual([
    "src/lib/index.ts:1 Cannot find module './rows.ts'.",
    "src/lib/index.ts:2 Cannot find module './rows.ts'.",
    "src/old.ts:1 Cannot find module './lib/rows.ts'.",
    "src/report.ts:1 Cannot find module './lib/rows.ts'.",
    "src/report.ts:2 Cannot find module '#lib/rows.ts'.",
    "src/report.ts:7 Cannot find module './lib/rows.js'.",
  ]);
});

test('a removed name is missed, except where a barrel re-exports everything', async () => {
  const text = 'export const allRows = 1;\nexport type Row = string;\nexport function seek() {}\n';
  expect(await broken({ 'src/lib/rows.ts': text })).toEqual([
    `src/lib/index.ts:2 Module '"./rows.ts"' has no exported member 'find'.`,
    `src/report.ts:1 Module '"./lib/rows.ts"' has no exported member 'listRows'.`,
    `src/report.ts:2 Module '"#lib/rows.ts"' has no exported member 'find'.`,
  ]);
});

test('exports that are hard to read are trusted', async () => {
  expect(await broken({ 'src/lib/rows.ts': 'export const { listRows } = make();\n' })).toEqual([]);
});

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findTrustedFiles } from '../../src/commands/regenerate/semantic/trusted-files.ts';
import { openDisk } from '../../src/project/disk.ts';
import { writeText } from '../project/kill/tree.ts';
import { scratchFolder } from '../support/scratch.ts';

const manifest = (dependencies: object, rest: object = {}) =>
  JSON.stringify({ type: 'module', ...rest, dependencies });

/** As made: `c.ts` imports `b.ts`, which imports `a.ts`. */
const made = {
  'package.json': manifest({ fastify: '^5.0.0' }),
  'tsconfig.json': '{}',
  'a.ts': 'export const a = 1;\n',
  'b.ts': "import { a } from './a.ts';\nexport const b = a;\n",
  'c.ts': "import { b } from './b.ts';\nexport const c = b;\n",
};

const all = ['a.ts', 'b.ts', 'c.ts'];

interface Case {
  readonly files?: Readonly<Record<string, string>>;
  readonly without?: string;
  /** What the plan makes of files. */
  readonly planned?: Readonly<Record<string, string>>;
}

async function trustedIn({ files = {}, without, planned = {} }: Case): Promise<string[]> {
  const folder = await scratchFolder('trusted');
  const texts = Object.entries({ ...made, ...files });
  for (const [path, text] of texts) writeText(folder, path, text);
  if (without !== undefined) await rm(join(folder, without));
  const project = { folder, disk: openDisk(folder), record: { files: {} } };
  const { trusted } = findTrustedFiles(
    project,
    { nextTexts: new Map(Object.entries(made)) },
    new Map(Object.entries(planned)),
  );
  return [...trusted].toSorted();
}

test.each<readonly [string, Case, readonly string[]]>([
  ['all of it, as it is made', {}, all],
  ['all, with other line ends', { files: { 'a.ts': made['a.ts'].replace('\n', '\r\n') } }, all],
  ['what an own file uses', { files: { 'own.ts': "import './c.ts';\n" } }, all],
  ['not what uses an own file', { files: { 'b.ts': 'export const b = 2;\n' } }, ['a.ts']],
  ['nor what will', { planned: { 'b.ts': '<<<<<<< yours\nexport {};\n' } }, ['a.ts']],
  ['nor what uses a file that is gone', { without: 'b.ts' }, ['a.ts']],
  ['what is as made again', { files: { 'b.ts': 'b' }, planned: { 'b.ts': made['b.ts'] } }, all],
  [
    'nothing beside types for everybody',
    { files: { 'own.ts': "export {};\ndeclare module 'fastify' {}\n" } },
    [],
  ],
  ['nothing beside a script', { files: { 'own.d.ts': 'interface Window { mine: 1 }\n' } }, []],
  ['nothing under other settings', { files: { 'tsconfig.json': '{ "files": [] }' } }, []],
  [
    'all, beside more packages',
    { files: { 'package.json': manifest({ fastify: '^5.0.0', zod: '4' }, { scripts: {} }) } },
    all,
  ],
  ['nothing with other packages', { files: { 'package.json': manifest({ fastify: '4' }) } }, []],
  [
    'nothing in another kind of package',
    { files: { 'package.json': manifest({ fastify: '^5.0.0' }, { imports: {} }) } },
    [],
  ],
])('trusts %s', async (_, given, expected) => {
  expect(await trustedIn(given)).toEqual(expected);
});

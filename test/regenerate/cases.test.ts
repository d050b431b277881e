import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { regenerate } from '../cli/in-process.ts';
import { diskTree } from './support/edit.ts';
import { caseNames, readCase } from './support/read-case.ts';
import { runCase } from './support/run-case.ts';

/** `npm run fixtures regenerate` writes what is expected; read it as the user whose project it is. */
test.each(caseNames)('%s', async (name) => {
  const it = readCase(name);
  const { folder, report, files, notes } = await runCase(it);
  expect(report).toBe(readFileSync(join(it.folder, 'report.txt'), 'utf8'));
  expect(Object.fromEntries(files)).toEqual(expectedFiles(it.folder));
  expect(notes).toEqual(expectedNotes(it.folder));
  const { undo, onConflict } = it.runs.at(-1) ?? {};
  if (!undo && onConflict !== 'fail') await expectRest(folder);
});

function expectedFiles(folder: string): Readonly<Record<string, string>> {
  const expected = join(folder, 'expected');
  if (!existsSync(expected)) return {};
  const tree = diskTree(expected);
  return Object.fromEntries(tree.paths().map((path) => [path, tree.read(path)]));
}

function expectedNotes(folder: string): readonly string[] {
  const file = join(folder, 'notes.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
}

/** A second run does nothing at all. */
async function expectRest(folder: string): Promise<void> {
  const before = stateOf(folder);
  await regenerate(folder);
  expect(stateOf(folder)).toEqual(before);
}

function stateOf(folder: string): readonly string[] {
  return diskTree(folder)
    .paths()
    .map((path) => {
      const { mtimeMs, mode, size } = statSync(join(folder, path));
      return `${path} ${mtimeMs} ${mode} ${size}`;
    });
}

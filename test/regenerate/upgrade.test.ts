import { expect, test } from 'vitest';
import { hashText } from '../../src/project/base.ts';
import { readOpenConflicts } from '../../src/project/open-conflicts.ts';
import { recordPath, snapshotPath } from '../../src/project/paths.ts';
import { readRecord } from '../../src/project/record.ts';
import { appFromSnapshot } from '../../src/model/snapshot.ts';
import { outputs } from '../../src/render/manifest.ts';
import { findSuccession } from '../../src/render/successors.ts';
import { templateNames } from '../../src/render/template-files.ts';
import { check, regenerate, resolve } from '../cli/in-process.ts';
import { diskTree, type Tree } from './support/edit.ts';
import { makeOlderProject, readOlderProject } from './support/older-project.ts';

const older = readOlderProject('0.1.0');
const record = readRecord(older.files.get(recordPath) ?? '');
const app = appFromSnapshot(JSON.parse(older.files.get(snapshotPath) ?? ''));
const made = outputs(app, templateNames());
const ids = new Set(made.map(({ id }) => id));
const sources = new Set(made.map(({ source }) => source));
const isMade = (source: string) => sources.has(source);

test('every template of 0.1.0 that is gone says in `successors` where its content went', () => {
  const gone = Object.values(record.files)
    .filter(({ id, policy }) => policy !== 'appended' && !ids.has(id) && !id.endsWith('.sql'))
    .map(({ id }) => id.replace(/^model:\w+\//, ''));
  const unknown = gone.filter((source) => {
    const found = findSuccession(source, isMade);
    return found === undefined || !found.now.every(isMade);
  });
  expect([...new Set(unknown)]).toEqual([]);
});

test('what the owner of a project of 0.1.0 wrote is carried, or shown with the place where it belongs now', async () => {
  const folder = await makeOlderProject(older);
  const tree = diskTree(folder);
  const edited = ownLines(tree);
  expect(edited.length).toBeGreaterThan(80);

  const ran = await regenerate(folder);
  const { files } = readRecord(tree.read(recordPath));
  const open = readOpenConflicts(folder, readRecord(tree.read(recordPath)));
  expect(ran.code, ran.stdout + ran.stderr).toBe(open.length > 0 ? 4 : 0);
  for (const it of open.filter(({ kind }) => kind === 'gone')) {
    expect(it.now).not.toEqual([]);
    for (const place of it.now ?? []) expect(tree.paths()).toContain(place);
  }
  const shown = squeeze(open.flatMap((it) => it.conflicts.map(({ mine }) => mine)).join('\n'));
  const live = tree
    .paths()
    .filter((path) => !path.startsWith('.scaffold/') && files[path]?.state !== 'ejected')
    .filter((path) => open.every((it) => it.kind !== 'gone' || it.path !== path))
    .map((path) => squeeze(tree.read(path)))
    .join('\n');
  const lost = edited.filter(({ line }) => !live.includes(line) && !shown.includes(line));
  expect(lost).toEqual([]);

  if (open.length > 0) {
    expect((await resolve(folder)).code).toBe(4);
    expect((await resolve(folder, { ours: true })).code).toBe(0);
  }
  const after = stateOf(tree);
  expect((await regenerate(folder)).code).toBe(0);
  expect(stateOf(tree)).toEqual(after);
  expect((await check(folder)).code).toBe(0);
});

interface OwnLine {
  readonly path: string;
  /** Without what a formatter changes. */
  readonly line: string;
}

/** Lines that 0.1.0 did not make; those of a word or two may be anybody's. */
function ownLines(tree: Tree): readonly OwnLine[] {
  return tree.paths().flatMap((path) => {
    const base = new Set((older.files.get(path) ?? '').split('\n').map(squeeze));
    const lines = path.startsWith('.scaffold/') ? [] : tree.read(path).split('\n').map(squeeze);
    return lines
      .filter((line) => line.length > 12 && !base.has(line) && !line.startsWith('import{'))
      .map((line) => ({ path, line }));
  });
}

function squeeze(text: string): string {
  return text.replace(/[\s,;]/g, '');
}

function stateOf(tree: Tree): readonly string[] {
  return tree.paths().map((path) => `${path} ${hashText(tree.read(path))}`);
}

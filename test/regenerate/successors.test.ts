import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Successors } from '../../src/render/successors.ts';
import { readOpenConflicts } from '../../src/project/open-conflicts.ts';
import { recordPath } from '../../src/project/paths.ts';
import { readRecord } from '../../src/project/record.ts';
import { regenerate, resolve } from '../cli/in-process.ts';
import { diskTree } from './support/edit.ts';
import { makeOlderProject, readOlderProject } from './support/older-project.ts';
import { lostLines, ownLines } from './support/upgrade-oracle.ts';

vi.hoisted(() => vi.resetModules());
afterAll(() => vi.resetModules());

/** A version of scaffold that has rewritten much of 0.1.0, in other files. */
const later = vi.hoisted(() => ({
  gone: /^app\/src\/(?:lib\/(?:access\.ts|sql\/|list\/)|auth\/letters\.ts)/,
  brought: new Map<string, string>(),
  table: {},
}));

vi.mock('../../src/render/template-files.ts', async (original) => {
  const real = await original<typeof import('../../src/render/template-files.ts')>();
  return {
    digestTemplates: () => `sha256:${'1'.repeat(64)}`,
    templateNames: () => [
      ...real.templateNames().filter((name) => !later.gone.test(name)),
      ...later.brought.keys(),
    ],
    readTemplate: (name: string) => later.brought.get(name) ?? real.readTemplate(name),
  };
});

vi.mock('../../src/render/successors.ts', async (original) => {
  const real = await original<typeof import('../../src/render/successors.ts')>();
  const find: typeof real.findSuccession = (source, isMade) =>
    real.findSuccession(source, isMade, later.table);
  return { findSuccession: find };
});

const older = readOlderProject('0.1.0');

const table: Successors = {
  '0.2.0': {
    'src/auth/letters.ts': ['src/auth/emails.ts'],
    'src/lib/access.ts': ['src/model/policy.ts'],
    'src/lib/list/': ['src/lib/lists.ts'],
    'src/lib/list/parse-list.ts': ['src/model/queries.ts', 'src/lib/lists.ts'],
    'src/lib/sql/': ['src/model/queries.ts'],
  },
  '0.3.0': {
    'src/lib/lists.ts': ['src/lib/pages.ts'],
  },
};

beforeEach(() => {
  const letters = older.get('src/auth/letters.ts') ?? '';
  later.table = table;
  later.brought = new Map([
    ['app/src/auth/emails.ts', letters.replace('The link works once', 'It works once')],
    ['app/src/lib/pages.ts', 'export const pages = true;\n'],
  ]);
});

describe('what an owner edited in files that are gone', () => {
  test('is carried over, or is an open conflict that names where it belongs', async () => {
    const folder = await makeOlderProject('0.1.0');
    const own = ownLines(folder, older);
    const ran = await regenerate(folder);
    expect(ran.code, ran.stdout + ran.stderr).toBe(4);
    expect(lostLines(folder, own)).toEqual([]);
    expect(placesOf(folder)).toEqual({
      'src/auth/outbox.ts': ['src/mail/outbox.ts'],
      'src/lib/access.ts': policies,
      'src/lib/list/list-statement.ts': ['src/lib/pages.ts'],
      'src/lib/list/parameters.ts': ['src/lib/pages.ts'],
      'src/lib/list/parse-list.ts': [...queries, 'src/lib/pages.ts'].toSorted(),
      'src/lib/list/plan.ts': ['src/lib/pages.ts'],
      'src/lib/sql/conditions.ts': queries,
    });
    const emails = diskTree(folder).read('src/auth/emails.ts');
    expect(emails).toContain('Somebody answered you on');
    expect(emails).toContain('It works once');
    expect(ran.stdout).toContain('move      src/auth/emails.ts');
    expect(diskTree(folder).paths()).not.toContain('src/lib/list/order.ts');
  });

  test.each([
    ['ours', 'ejected'],
    ['theirs', undefined],
  ] as const)('is resolved by --%s', async (side, state) => {
    const folder = await makeOlderProject('0.1.0');
    const tree = diskTree(folder);
    await regenerate(folder);
    const before = older.get('src/lib/access.ts') ?? '';
    const listed = await resolve(folder);
    expect(listed.stdout).toContain('src/lib/access.ts:');
    expect(listed.stdout).toContain(
      'now in src/comments/policy.ts, src/posts/policy.ts, src/tags/policy.ts and 1 more',
    );
    expect((await resolve(folder, { [side]: true, paths: ['src/lib/access.ts'] })).code).toBe(0);
    expect(readRecord(tree.read(recordPath)).files['src/lib/access.ts']?.state).toBe(state);
    expect(tree.paths().includes('src/lib/access.ts')).toBe(side === 'ours');
    expect(tree.paths().includes('.scaffold/base/src/lib/access.ts.base')).toBe(side === 'ours');
    if (side === 'ours') {
      expect(tree.read('src/lib/access.ts')).toContain('interface Past');
      expect(tree.read('src/lib/access.ts')).not.toBe(before);
    }
  });

  test('is resolved by deleting the file', async () => {
    const folder = await makeOlderProject('0.1.0');
    const tree = diskTree(folder);
    await regenerate(folder);
    tree.remove('src/lib/access.ts');
    expect((await resolve(folder, { edited: true, paths: ['src/lib/access.ts'] })).code).toBe(0);
    expect(readRecord(tree.read(recordPath)).files['src/lib/access.ts']).toBe(undefined);
  });

  test('is reported as lost where the table says, wrongly, that nothing took its place', async () => {
    later.table = { ...table, '0.2.0': { ...table['0.2.0'], 'src/lib/access.ts': [] } };
    const folder = await makeOlderProject('0.1.0');
    const own = ownLines(folder, older);
    await regenerate(folder);
    expect(new Set(lostLines(folder, own).map(({ path }) => path))).toEqual(
      new Set(['src/lib/access.ts']),
    );
  });
});

const models = ['comments', 'posts', 'tags', 'users'];
const policies = models.map((model) => `src/${model}/policy.ts`);
const queries = models.map((model) => `src/${model}/queries.ts`);

function placesOf(folder: string): Readonly<Record<string, readonly string[]>> {
  const open = readOpenConflicts(folder, readRecord(diskTree(folder).read(recordPath)));
  const gone = open.filter(({ kind }) => kind === 'gone');
  return Object.fromEntries(gone.map(({ path, now = [] }) => [path, now.toSorted()]));
}

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { printMigration, type Migration } from '../../src/evolve/migration.ts';
import { type History, evolved } from './support/history.ts';
import { firstTree, lastId, plantTree, type Tree, treeSchema } from './support/tree.ts';

const title = 'string(..20)';
const size = ', size: int?';

/** Two branches have each changed the schema, and then they were joined. */
const ours = evolved(evolved(firstTree, treeSchema('string(..21)')), treeSchema('string(..22)'));
const theirs = evolved(firstTree, treeSchema(title, size));
const bothSchema = treeSchema('string(..22)', size);
const joint = joined(ours, theirs);
const [oursFirst = '', oursSecond = ''] = ours.migrations.slice(1).map(({ id }) => id);

let tree: Tree;

beforeEach(async () => {
  tree = await plantTree();
});

afterEach(() => {
  tree.database.close();
});

describe('two branches that have both migrated', () => {
  test('are told apart, and nothing is done', async () => {
    await tree.put({ ...ours, migrations: [...ours.migrations, ...theirs.migrations.slice(1)] });
    await expect(tree.up()).rejects.toThrow(
      `Two migrations follow 0001_initial: ${lastId(theirs)} and ${oursFirst}.`,
    );
  });

  test('and so is a migration whose parent is missing', async () => {
    await tree.put({ ...ours, migrations: ours.migrations.filter(({ id }) => id !== oursFirst) });
    await expect(tree.up()).rejects.toThrow(`${oursSecond} follows ${oursFirst}, which is not`);
  });

  test.each([
    { what: 'neither', before: firstTree, runs: [oursFirst, oursSecond, lastId(joint)] },
    { what: 'ours', before: ours, runs: [lastId(joint)] },
    { what: 'theirs', before: theirs, runs: [oursFirst, oursSecond, lastId(joint)] },
  ])('are both applied to a database that has $what', async ({ before, runs }) => {
    await tree.put(before);
    await tree.up();
    const [, leaves] = tree.rows();
    await tree.put(joint);
    expect(await tree.up()).toEqual(runs);
    expect(tree.rows()[1]).toEqual(leaves);
    expect(tree.all('SELECT id FROM schema_migrations ORDER BY id')).toEqual(
      joint.migrations.map(({ id }) => [id]).toSorted(),
    );
    expect((await tree.drift()).filter(({ kind }) => kind !== 'extra')).toEqual([]);
    expect(await tree.up()).toEqual([]);
    expect(() => tree.database.exec(`UPDATE nodes SET title = '${'x'.repeat(23)}'`)).toThrow();
    tree.database.exec(`UPDATE nodes SET title = '${'x'.repeat(22)}', size = 3`);
  });

  test('wait for a database that is in the middle of the other branch', async () => {
    const further = evolved(theirs, treeSchema(title, `${size}, weight: int?`));
    await tree.put(theirs);
    await tree.up();
    const before = tree.everything();
    await tree.put(joined(ours, further));
    await expect(tree.up()).rejects.toThrow(`Apply ${lastId(further)} with the code that has them`);
    expect(tree.everything()).toEqual(before);
  });

  test('need the way from the other branch', async () => {
    await tree.put(theirs);
    await tree.up();
    await tree.put(joint);
    await rm(join(tree.folder, 'migrations', lastId(joint), 'instead.sql'));
    await expect(tree.up()).rejects.toThrow('instead.sql is missing');
  });

  test('are stopped by rows before anything is rebuilt, and say so', async () => {
    const required = ', size: int';
    const [there, both] = [treeSchema(title, required), treeSchema('string(..22)', required)];
    await tree.put(joined(ours, evolved(firstTree, there), both));
    await expect(tree.up()).rejects.toThrow(
      /SCF421 Node\.size, \d rows: [^\n]*\nChange those rows; or write into/,
    );
  });

  test('are applied one after the other when they do not overlap', async () => {
    const apart = treeSchema('string(..22)').replace('text: text?', 'text: text?, size: int?');
    const leaf = evolved(
      firstTree,
      treeSchema(title).replace('text: text?', 'text: text?, size: int?'),
    );
    await tree.put(leaf);
    await tree.up();
    const behind = leaf.migrations.slice(1).map((it) => withParent(it, lastId(ours)));
    const { app } = evolved(ours, apart);
    await tree.put({ app, migrations: [...ours.migrations, ...behind] });
    expect(await tree.up()).toEqual([oursFirst, oursSecond]);
    expect(await tree.up()).toEqual([]);
    expect((await tree.drift()).filter(({ kind }) => kind !== 'extra')).toEqual([]);
  });
});

/** Ours, and a last migration that replaces all of theirs. */
function joined(here: History, there: History, schema = bothSchema): History {
  const [fromOurs, fromTheirs] = [evolved(here, schema), evolved(there, schema)];
  const [up, instead] = [fromOurs, fromTheirs].map(({ migrations }) => migrations.at(-1));
  if (up === undefined || instead === undefined) throw new Error('nothing to join');
  const replaces = there.migrations.slice(1).map(({ id }) => id);
  const { hazards, backup } = JSON.parse(instead.files['meta.json']);
  const facts = { ...JSON.parse(up.files['meta.json']), replaces, instead: { hazards, backup } };
  const texts = {
    'up.sql': up.files['up.sql'],
    'instead.sql': instead.files['up.sql'],
    'schema.yaml': schema,
  };
  const migration = printMigration(facts, texts);
  return { app: fromOurs.app, migrations: [...here.migrations, migration] };
}

function withParent({ id, files }: Migration, parent: string): Migration {
  const meta = JSON.stringify({ ...JSON.parse(files['meta.json']), parent });
  return { id, files: { ...files, 'meta.json': meta } };
}

import { beforeEach, describe, expect, test } from 'vitest';
import { tablesSql } from '../../src/evolve/initial.ts';
import { makeMigration } from '../../src/evolve/make-migration.ts';
import type { Migration } from '../../src/evolve/migration.ts';
import { carryIds } from '../../src/model/carry.ts';
import { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { valuesOf } from '../support/sqlite-values.ts';
import { appOf } from './support/app-of.ts';
import { applySqlite } from './support/sqlite-runner.ts';

const tree = (title: string) => `models:
  Node:
    timestamps: false
    fields: { title: "${title}" }
    relations: { parent: { to: Node, optional: true, on_delete: cascade } }
  Leaf:
    timestamps: false
    fields: { text: text? }
    relations:
      node: { to: Node, on_delete: cascade }
      other: { to: Node, optional: true, on_delete: set_null }
`;

/** Rebuilds the table that all the others point to. */
const migration = step(tree('string(..20)'), tree('string(1..30)'));
let database: DatabaseSync;

beforeEach(() => {
  database = new DatabaseSync(':memory:');
  database.exec(tablesSql(appOf(tree('string(..20)'))));
  database.exec(`
    INSERT INTO nodes (title, parent_id) VALUES ('root', NULL), ('branch', 1), ('twig', 2), ('gone', 1);
    INSERT INTO leaves (text, node_id, other_id) VALUES ('a', 3, 1), ('b', 2, NULL);
    DELETE FROM nodes WHERE title = 'gone';
  `);
});

describe('a table that others point to is rebuilt', () => {
  test('and no row is lost with the old one', () => {
    const rows = () => [all('SELECT * FROM nodes'), all('SELECT * FROM leaves')];
    const before = rows();
    applySqlite(database, migration);
    expect(migration.files['up.sql']).toContain('DROP TABLE nodes;');
    expect(rows()).toEqual(before);
    database.exec('DELETE FROM nodes WHERE id = 2');
    expect(all('SELECT id FROM nodes')).toEqual([[1]]);
    expect(all('SELECT * FROM leaves')).toEqual([]);
  });

  test('and no id is given out again', () => {
    applySqlite(database, migration);
    expect(all(`INSERT INTO nodes (title) VALUES ('new') RETURNING id`)).toEqual([[5]]);
  });

  test('also when it has been emptied', () => {
    database.exec('DELETE FROM nodes');
    applySqlite(database, migration);
    expect(all(`INSERT INTO nodes (title) VALUES ('new') RETURNING id`)).toEqual([[5]]);
  });

  test('with the indexes, triggers and views that its owner made', () => {
    const own = `
      CREATE INDEX own_partial ON nodes (lower(title)) WHERE parent_id IS NULL;
      CREATE TABLE log (text text) STRICT;
      CREATE TRIGGER own_log AFTER UPDATE ON nodes BEGIN INSERT INTO log VALUES (new.title); END;
      CREATE TRIGGER own_touch AFTER INSERT ON leaves BEGIN UPDATE nodes SET title = title WHERE id = new.node_id; END;
      CREATE VIEW own_roots AS SELECT title FROM nodes WHERE parent_id IS NULL;
    `;
    database.exec(own);
    const objects = () =>
      all(`SELECT name FROM sqlite_master WHERE name LIKE 'own%' ORDER BY name`);
    const before = objects();
    applySqlite(database, migration);
    expect(objects()).toEqual(before);
    database.exec(`INSERT INTO leaves (node_id) VALUES (1)`);
    expect(all('SELECT * FROM log')).toEqual([['root']]);
    expect(all('SELECT * FROM own_roots')).toEqual([['root']]);
  });

  test('and whatever fails, the database stays as it was', () => {
    const before = everything();
    const statements = migration.files['up.sql'].split(/(?<=;)\n(?!END)/);
    expect(statements.length).toBeGreaterThan(8);
    for (let count = 1; count <= statements.length; count += 1) {
      const broken = [...statements.slice(0, count), 'SELECT no_such_column;'].join('\n');
      const files = { ...migration.files, 'up.sql': broken };
      expect(() => applySqlite(database, { ...migration, files })).toThrow('no_such_column');
      expect(everything()).toEqual(before);
    }
    applySqlite(database, migration);
  });
});

test('views and triggers follow renames, and keep what they need from being dropped', () => {
  const was = 'models: { Note: { timestamps: false, fields: { title: string, size: int? } } }';
  const fields = '{ heading: { type: string(..99), was: title }, size: int? }';
  const renamed = `models: { Page: { timestamps: false, was: Note, fields: ${fields} } }`;
  const notes = new DatabaseSync(':memory:');
  notes.exec(tablesSql(appOf(was)));
  notes.exec(`
    INSERT INTO notes (title) VALUES ('a');
    CREATE VIEW titles AS SELECT title, size FROM notes;
    CREATE TRIGGER shout AFTER INSERT ON notes BEGIN UPDATE notes SET title = upper(title) WHERE id = new.id; END;
  `);
  applySqlite(notes, step(was, renamed));
  notes.exec(`INSERT INTO pages (heading) VALUES ('b')`);
  expect(valuesOf(notes, 'SELECT * FROM titles')).toEqual([
    ['a', null],
    ['B', null],
  ]);
  const dropped = `models: { Page: { timestamps: false, fields: { heading: string(..99) } } }`;
  const drop = step(renamed, dropped);
  const before = valuesOf(notes, 'SELECT sql FROM sqlite_master');
  expect(() => applySqlite(notes, drop)).toThrow('broken views: titles');
  expect(valuesOf(notes, 'SELECT sql FROM sqlite_master')).toEqual(before);
  notes.exec('DROP VIEW titles');
  applySqlite(notes, drop);
});

function step(before: string, after: string): Migration {
  const from = appOf(before);
  const evolved = makeMigration(from, carryIds(from, appOf(after)), {
    sequence: 2,
    parent: '0001_initial',
    schemaText: after,
  });
  if (evolved === undefined) throw new Error('nothing to migrate');
  return evolved.migration;
}

function all(query: string): readonly unknown[] {
  return valuesOf(database, query);
}

function everything(): readonly unknown[] {
  return ['sqlite_master', 'sqlite_sequence', 'nodes', 'leaves'].map((it) =>
    all(`SELECT * FROM ${it}`),
  );
}

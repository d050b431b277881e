import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '../../../templates/copy/sqlite-to-postgres/src/database/driver.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { valuesOf } from '../../support/sqlite-values.ts';
import { type Difference, emittedRunner } from './emitted-runner.ts';
import { type History, historyOf, writeHistory } from './history.ts';

/** Nodes point to each other, to leaves and from leaves: a change of the title rebuilds the table in the middle. */
export function treeSchema(title: string, more = ''): string {
  return `models:
  Node:
    timestamps: false
    fields: { title: "${title}"${more} }
    relations:
      parent: { to: Node, optional: true, on_delete: cascade }
      first: { to: Leaf, optional: true, on_delete: set_null }
    indexes: [[title]]
  Leaf:
    timestamps: false
    fields: { text: text? }
    relations:
      node: { to: Node, on_delete: cascade }
      other: { to: Node, optional: true, on_delete: set_null }
`;
}

export const firstTree = historyOf('sqlite', [treeSchema('string(..20)')]);

/** Rows, ids that are gone, and what an owner may have made beside the schema. */
const planted = `
  INSERT INTO nodes (title, parent_id) VALUES ('root', NULL), ('branch', 1), ('twig', 2), ('gone', 1);
  INSERT INTO leaves (text, node_id, other_id) VALUES ('a', 3, 1), ('b', 2, NULL), ('gone', 1, 1);
  UPDATE nodes SET first_id = 1 WHERE id = 3;
  DELETE FROM nodes WHERE title = 'gone';
  DELETE FROM leaves WHERE text = 'gone';
  CREATE TABLE log (text text) STRICT;
  CREATE INDEX own_partial ON nodes (lower(title)) WHERE parent_id IS NULL;
  CREATE TRIGGER own_log AFTER UPDATE ON nodes BEGIN INSERT INTO log VALUES (new.title); END;
  CREATE TRIGGER own_touch AFTER INSERT ON leaves
    BEGIN UPDATE nodes SET title = title WHERE id = new.node_id; END;
  CREATE VIEW own_roots AS SELECT title FROM nodes WHERE parent_id IS NULL;
`;

export interface Tree {
  readonly folder: string;
  readonly url: string;
  readonly database: DatabaseSync;
  /** Writes `migrations/` from scratch. */
  put(history: History): Promise<void>;
  /** Changes a file in it, as the owner would. */
  edit(file: string, change: (text: string) => string): Promise<void>;
  up(options?: { readonly timeout?: number }): Promise<readonly string[]>;
  down(): Promise<string>;
  drift(): Promise<readonly Difference[]>;
  /** What the last `up` has said so far. */
  said(): readonly string[];
  all(sql: string): readonly unknown[];
  rows(): readonly unknown[];
  /** Everything in the database. */
  everything(): readonly unknown[];
}

/** A database of the first tree with rows in it, and the runner of an emitted project. */
export async function plantTree(): Promise<Tree> {
  const runner = await emittedRunner('sqlite');
  const place = await scratchFolder('emitted-sqlite');
  const folder = join(place, 'migrations');
  const url = `file:${join(place, 'app.db')}`;
  let lines: string[] = [];
  await writeHistory(folder, firstTree);
  await runner.migrate(url, { folder });
  const database = new DatabaseSync(join(place, 'app.db'));
  database.exec(planted);
  const all = (sql: string) => valuesOf(database, sql);
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  return {
    folder: place,
    url,
    database,
    put: (history) => writeHistory(folder, history),
    edit: async (file, change) => writeFile(join(folder, file), change(await read(file))),
    up(options = {}) {
      lines = [];
      const report = (line: string) => void lines.push(line);
      return runner.migrate(url, { folder, report, ...options });
    },
    down: () => runner.rollback(url, { folder }),
    drift: async () => runner.listDrift(url, await read('schema.sql')),
    said: () => lines,
    all,
    rows: () =>
      ['nodes', 'leaves'].map((table) => database.prepare(`SELECT * FROM ${table}`).all()),
    everything: () =>
      ['sqlite_schema', 'sqlite_sequence', 'schema_migrations', 'nodes', 'leaves', 'log'].map(
        (table) => all(`SELECT * FROM ${table}`),
      ),
  };
}

export function lastId({ migrations }: History): string {
  return migrations.at(-1)?.id ?? '';
}

export function lastUp({ migrations }: History): string {
  return migrations.at(-1)?.files['up.sql'] ?? '';
}

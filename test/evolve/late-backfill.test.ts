import { describe, expect, test } from 'vitest';
import { compareHistory } from '../../runner/history.ts';
import { readMigrations } from '../../runner/read.ts';
import { readMigrations as readStored } from '../../src/evolve/heads/stored-migrations.ts';
import { makeInitialMigration } from '../../src/evolve/initial.ts';
import { addLateBackfill } from '../../src/evolve/late-backfill.ts';
import { makeMigration } from '../../src/evolve/make-migration.ts';
import { checksum } from '../../src/evolve/migration.ts';
import type { App } from '../../src/model/app.ts';
import { carryIds } from '../../src/model/carry.ts';
import { scratchFolder } from '../support/scratch.ts';
import { appOf, wholeSchema } from './support/app-of.ts';
import { type Folder, writeMigrations } from './support/migrations-folder.ts';
import { openStore } from './support/open-store.ts';
import type { Engine } from '../../src/types/field-type.ts';

const postWith = (...fields: readonly string[]) =>
  `models: { Post: { fields: { title: string, ${fields.join(', ')} } } }`;
const plain = postWith('subtitle: string?');
const required = postWith('subtitle: string?', 'language: string(2..5)');
const filled = postWith('subtitle: string?', 'language: { type: string(2..5), backfill: en }');

describe.each<Engine>(['sqlite', 'postgres'])('%s: a backfill that is added late', (engine) => {
  test('is written into the refused migration; databases that applied it without rows go on', async () => {
    const { history, app } = written(engine, [plain, required]);
    const { again } = said({ history, app, schema: filled });
    const [root, refused] = history;
    const store = await openStore(engine);
    await store.run(root?.files['up.sql'] ?? '');
    await store.run(
      "INSERT INTO posts (title, created_at, updated_at) VALUES ('Bread', '2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z')",
    );
    if (again === undefined) throw new Error('nothing is written again');
    expect(again.migration.id).toBe(refused?.id);
    await store.apply(again.migration);
    expect(await store.values('SELECT title, language FROM posts')).toEqual([['Bread', 'en']]);

    const empty = await openStore(engine);
    for (const { files } of history) await empty.run(files['up.sql'] ?? '');
    expect(await empty.introspect()).toEqual(await store.introspect());
    const folder = await scratchFolder('late-backfill');
    writeMigrations(folder, history);
    const applied = readMigrations(folder).map(({ id, up }) => ({ id, checksum: up.checksum }));
    writeMigrations(folder, [...history.slice(0, 1), folderOf(again.migration)]);
    expect(compareHistory({ migrations: readMigrations(folder) }, applied)).toMatchObject({
      altered: [],
      pending: [],
    });
    await store.close();
    await empty.close();
  });

  test('is also written into one whose comments an earlier version worded differently', () => {
    const { history, app } = written(engine, [plain, required]);
    const older = history.map(({ id, files }) => {
      const sql = `${files['up.sql']}`.replaceAll(/^-- (?!step|then)/gm, '-- In other words: ');
      const meta = {
        ...JSON.parse(`${files['meta.json']}`),
        checksums: { 'up.sql': checksum(sql) },
      };
      return { id, files: { ...files, 'up.sql': sql, 'meta.json': JSON.stringify(meta) } };
    });
    expect(older[1]?.files['up.sql']).toContain('In other words');
    const { again } = said({ history: older, app, schema: filled });
    expect(again?.migration.id).toBe(history[1]?.id);
  });
});

describe('a value for existing rows that the schema gives', () => {
  const cases: readonly [string, readonly string[], string, string?][] = [
    ['by a default', [plain, required], filled.replace('backfill', 'default'), '0002'],
    [
      'while it changes in other ways, too',
      [plain, required],
      filled.replace('subtitle: string?', 'heading: { type: string?, was: subtitle }'),
      '0002',
    ],
    [
      'for a migration that others have followed, is left to the owner',
      [plain, required, required.replace('string?', 'string?, rank: int?')],
      filled.replace('string?', 'string?, rank: int?'),
    ],
    ['in place of an earlier one', [plain, filled], filled.replace('en', 'de'), '0002'],
    ['no longer, changes nothing', [plain, filled], required],
    [
      'for the current step, is not used for an earlier one',
      [plain, required],
      filled.replace('2..5', '2..3'),
    ],
    [
      'for the values that the field allows now, is not used for those that it allowed before',
      [plain, required, required.replace('2..5', '2..9')],
      filled.replace('2..5', '2..9').replace('en', 'english'),
    ],
    ['by another default', [plain, postWith('rank: int = 1')], postWith('rank: int = 2')],
  ];

  test.each(cases)('%s', (_, schemas, schema, expected) => {
    const { again } = said({ ...written('sqlite', schemas), schema });
    expect(again?.migration.id.slice(0, 4)).toBe(expected);
  });

  test.each([
    ['somebody has edited', 'up.sql', '-- mine'],
    ['replaces those of a branch', 'meta.json', ''],
  ])('leaves SQL alone that %s, and says so', (_, file, more) => {
    const { history, app } = written('sqlite', [plain, required]);
    const own = history.map(({ id, files }) => {
      const text = `${files[file]}${more}`.replace(/^\{/, '{ "replaces": ["0002_theirs"],');
      return { id, files: { ...files, [file]: text } };
    });
    const { again, warnings } = said({ history: own, app, schema: filled });
    expect(again).toBeUndefined();
    expect(warnings).toMatchObject([
      {
        message: expect.stringContaining(
          `newer than \`migrations/${history[1]?.id}\`. That migration is not changed`,
        ),
      },
    ]);
  });
});

/** A project that has had these schemas one after the other. */
function written(engine: Engine, [first = '', ...others]: readonly string[]) {
  let app = appOf(first, engine);
  const history = [folderOf(makeInitialMigration(app, wholeSchema(first, engine)))];
  for (const schema of others) {
    const next = carried(app, schema);
    const evolved = makeMigration(app, next, {
      sequence: history.length + 1,
      parent: history.at(-1)?.id ?? '',
      schemaText: wholeSchema(schema, engine),
    });
    if (evolved !== undefined) history.push(folderOf(evolved.migration));
    app = next;
  }
  return { history, app };
}

interface Situation {
  readonly history: readonly Folder[];
  readonly app: App;
  readonly schema: string;
}

function said({ history, app, schema }: Situation) {
  const stored = readStored(history.map(({ id, files }) => ({ id, texts: files })));
  return addLateBackfill(stored, carried(app, schema));
}

function carried(app: App, schema: string): App {
  return carryIds(app, appOf(schema, app.database), []);
}

function folderOf({ id, files }: { readonly id: string; readonly files: object }): Folder {
  return { id, files: Object.fromEntries(Object.entries(files)) };
}

import { join } from 'node:path';
import type { Engine } from '../../src/model/app.ts';
import { withDatabase } from '../../src/commands/new/database.ts';
import { emit, writeFiles } from '../support/emit.ts';
import { install } from '../support/install.ts';
import { freshDatabase } from '../support/postgres.ts';
import { scratchFolder } from '../support/scratch.ts';
import { beds, gardenSchema, labels, plants, users } from './garden.ts';
import type { Viewer } from './oracle.ts';

export interface Garden {
  /** The very text that the list of plants answers. */
  list(query: string, viewer: Viewer | null): Promise<string>;
  close(): Promise<void>;
}

type Resource = object;
type Request = { readonly viewer: Viewer | null; readonly query: string };

/** What the test uses of the emitted project. */
interface Emitted {
  readonly openConnection: (url: string) => Connection;
  readonly migrate: (url: string) => Promise<unknown>;
  readonly listPage: (
    reader: object,
    resource: Resource,
    request: Request,
  ) => Promise<{ readonly body: string }>;
  readonly insertRow: (database: object, resource: Resource, request: object) => Promise<unknown>;
  readonly deleteRow: (database: object, resource: Resource, request: object) => Promise<void>;
  readonly system: Viewer;
  readonly users: Resource;
  readonly beds: Resource;
  readonly labels: Resource;
  readonly plants: Resource;
}

interface Connection {
  readonly database: object;
  readonly reader: object;
  close(): Promise<void>;
}

const modules = [
  'src/database/client.ts',
  'src/database/migrate.ts',
  'src/lib/access.ts',
  'src/lib/list.ts',
  'src/lib/rows.ts',
  'src/users/schema.ts',
  'src/beds/schema.ts',
  'src/labels/schema.ts',
  'src/plants/schema.ts',
];

/** The garden's project on an engine, migrated and planted. */
export async function emittedGarden(engine: Engine): Promise<Garden> {
  const folder = await scratchFolder(`garden-${engine}`);
  await writeFiles(
    folder,
    emit(withDatabase({ text: gardenSchema, file: 'schema.yaml' }, engine).text),
  );
  await install(folder);
  const imported: object[] = [];
  for (const path of modules) imported.push(await import(join(folder, path)));
  const emitted: Emitted = Object.assign({}, ...imported);

  const url = engine === 'sqlite' ? `file:${join(folder, 'garden.db')}` : await freshDatabase();
  await emitted.migrate(url);
  const { database, reader, close } = emitted.openConnection(url);
  await plantGarden(emitted, database);
  return {
    list: async (query, viewer) =>
      (await emitted.listPage(reader, emitted.plants, { viewer, query })).body,
    close,
  };
}

async function plantGarden(
  { system, insertRow, deleteRow, ...resources }: Emitted,
  database: object,
) {
  const at = '2026-01-01T00:00:00.000Z';
  const insert = (resource: Resource, values: object) =>
    insertRow(database, resource, {
      viewer: system,
      values: { ...values, created_at: at, updated_at: at },
    });
  for (const { id, name } of users) {
    await insert(resources.users, {
      name,
      email: `user-${id}@example.test`,
      password: '-',
      role: 'user',
    });
  }
  for (const { id: _, deleted: __, ...bed } of beds) await insert(resources.beds, bed);
  for (const { word } of labels) await insert(resources.labels, { word });
  for (const { id: _, ...plant } of plants) await insert(resources.plants, plant);
  for (const { id, deleted } of beds) {
    if (deleted) await deleteRow(database, resources.beds, { viewer: system, id });
  }
}

import { join } from 'node:path';
import { withDatabase } from '../../src/commands/edit-schema.ts';
import { emit, writeFiles } from '../support/emit.ts';
import { install } from '../support/install.ts';
import { freshDatabase } from '../support/postgres.ts';
import { scratchFolder } from '../support/scratch.ts';
import { beds, gardenSchema, labels, plants, users } from './garden.ts';
import type { Viewer } from './oracle.ts';
import type { Engine } from '../../src/types/field-type.ts';

export interface Garden {
  /** The exact text that the list of plants, or of labels, answers with. */
  list(query: string, viewer: Viewer | null, of?: 'plants' | 'labels'): Promise<string>;
  close(): Promise<void>;
}

type Request = { readonly viewer: Viewer | null; readonly query: string };
type List = (database: object, request: Request) => Promise<{ readonly body: string }>;
type Create = (database: object, request: object, input: object) => Promise<unknown>;

/** What the test uses of the emitted project. */
interface Emitted {
  readonly openConnection: (config: object) => Connection;
  readonly migrate: (url: string) => Promise<unknown>;
  readonly system: Viewer;
  readonly listPlants: List;
  readonly listLabels: List;
  readonly createUser: (
    database: object,
    hasher: object,
    request: object,
    input: object,
  ) => Promise<unknown>;
  readonly createBed: Create;
  readonly createLabel: Create;
  readonly createPlant: Create;
  readonly deleteBed: (database: object, request: object) => Promise<void>;
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
  'src/users/queries.ts',
  'src/beds/queries.ts',
  'src/labels/queries.ts',
  'src/plants/queries.ts',
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
  const { database, reader, close } = emitted.openConnection({
    databaseUrl: url,
    databaseLimits: { poolSize: 5, readers: 0, statementTimeoutMs: 4000, lockTimeoutMs: 3000 },
  });
  await plantGarden(emitted, database);
  return {
    async list(query, viewer, of = 'plants') {
      const list = of === 'plants' ? emitted.listPlants : emitted.listLabels;
      return (await list(reader, { viewer, query })).body;
    },
    close,
  };
}

async function plantGarden(emitted: Emitted, database: object) {
  const { system: viewer, createUser, createBed, createLabel, createPlant, deleteBed } = emitted;
  const at = '2026-01-01T00:00:00.000Z';
  const times = { created_at: at, updated_at: at };
  const hasher = { hash: async () => '-' };
  for (const { name, email } of users) {
    const user = { name, email, password: '-', role: 'user', ...times };
    await createUser(database, hasher, { viewer }, user);
  }
  for (const { id: _, deleted: __, ...bed } of beds) {
    await createBed(database, { viewer }, { ...bed, ...times });
  }
  for (const { word } of labels) await createLabel(database, { viewer }, { word, ...times });
  for (const { id: _, ...plant } of plants) {
    await createPlant(database, { viewer }, { ...plant, ...times });
  }
  for (const { id, deleted } of beds) if (deleted) await deleteBed(database, { viewer, id });
}

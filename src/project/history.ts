import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMigrations, type StoredMigration } from '../evolve/stored-migration.ts';
import type { Record } from './record.ts';

/** The migrations of a project. */
export interface History {
  readonly migrations: readonly StoredMigration[];
  /** Ids of those that the record knows. */
  readonly recorded: readonly string[];
}

export function readHistory(folder: string, record: Record): History {
  const migrations = readMigrations(
    listMigrations(folder).map((id) => ({ id, texts: readTexts(join(folder, 'migrations', id)) })),
  );
  return { migrations, recorded: recordedMigrations(record) };
}

/** Whether another branch brought migrations that no run here has seen. */
export function hasForeignMigrations(folder: string, record: Record): boolean {
  const recorded = new Set(recordedMigrations(record));
  return listMigrations(folder).some((id) => !recorded.has(id));
}

/** Folders of `migrations/` with something to run. */
function listMigrations(folder: string): readonly string[] {
  const root = join(folder, 'migrations');
  if (!existsSync(root)) return [];
  return readdirSync(root).filter((id) => existsSync(join(root, id, 'up.sql')));
}

function readTexts(folder: string): Readonly<{ [name: string]: string }> {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map(({ name }) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}

function recordedMigrations({ files }: Record): readonly string[] {
  return Object.keys(files).flatMap((path) => {
    const [, id] = /^migrations\/([^/]+)\/up\.sql$/.exec(path) ?? [];
    return id === undefined ? [] : [id];
  });
}

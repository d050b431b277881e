import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMigrations, type StoredMigration } from '../evolve/heads/stored-migrations.ts';
import type { Record } from './record.ts';
import { listMigrations, recordedMigrations } from './untouched.ts';

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
  return { migrations, recorded: recordedMigrations(Object.keys(record.files)) };
}

function readTexts(folder: string): Readonly<{ [name: string]: string }> {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map(({ name }) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}

import { parseJson } from '../json.ts';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { digestTemplates } from '../render/template-files.ts';
import { version } from '../version.ts';
import {
  hashText,
  conflictsPath,
  migrationAt,
  recordPath,
  runFolder,
  snapshotPath,
  readRemembered,
} from './paths.ts';

/**
 * Whether nothing has changed since the last run: the schema file is the same to the letter. Reads as little as
 * possible; `isUpToDate` also recognises schemas that mean the same.
 */
export function isUntouched(folder: string, schemaText: string): boolean {
  if ([conflictsPath, runFolder].some((path) => existsSync(join(folder, path)))) return false;
  const [text, snapshot] = [recordPath, snapshotPath].map((path) => readRemembered(folder, path));
  if (text === undefined || snapshot === undefined) return false;
  const record = parseJson(text);
  const files: Readonly<Record<string, unknown>> = Object(member(record, 'files'));
  return (
    member(record, 'lockVersion') === 1 &&
    member(member(record, 'generator'), 'version') === version &&
    member(record, 'source') === hashText(schemaText) &&
    member(record, 'schema') === hashText(snapshot) &&
    member(record, 'templates') === digestTemplates() &&
    Object.values(files).every((file) => member(file, 'state') !== 'conflict') &&
    !hasForeignMigrations(folder, Object.keys(files))
  );
}

function member(value: unknown, key: string): unknown {
  return new Map(Object.entries(Object(value))).get(key);
}

/** Whether another branch brought migrations that the record does not know. */
export function hasForeignMigrations(folder: string, recorded: readonly string[]): boolean {
  const known = new Set(recordedMigrations(recorded));
  return listMigrations(folder).some((id) => !known.has(id));
}

/** Folders of `migrations/` with something to run. */
export function listMigrations(folder: string): readonly string[] {
  const root = join(folder, 'migrations');
  if (!existsSync(root)) return [];
  return readdirSync(root).filter((id) => existsSync(join(root, id, 'up.sql')));
}

/** Ids of the migrations among the paths of a record. */
export function recordedMigrations(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => migrationAt(path) ?? []);
}

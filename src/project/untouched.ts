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
} from './paths.ts';
import { readRemembered } from './project-folder.ts';
import { type ProjectRecord, readRecord } from './record.ts';

/**
 * Whether the schema file is exactly that of the last run. Reads as little as possible; `isUpToDate` also accepts
 * schemas with the same meaning.
 */
export function isUntouched(folder: string, schemaText: string): boolean {
  if ([conflictsPath, runFolder].some((path) => existsSync(join(folder, path)))) return false;
  const [text, snapshot] = [recordPath, snapshotPath].map((path) => readRemembered(folder, path));
  if (text === undefined || snapshot === undefined) return false;
  const record = readRecord(text);
  return (
    isOfThisVersion(folder, record) &&
    record.source === hashText(schemaText) &&
    record.schema === hashText(snapshot) &&
    Object.values(record.files).every(({ state }) => state !== 'conflict')
  );
}

/** Whether this version of scaffold made the last run, and nobody added migrations since. */
export function isOfThisVersion(folder: string, record: ProjectRecord): boolean {
  const known = new Set(recordedMigrations(Object.keys(record.files)));
  return (
    record.generator.version === version &&
    record.templates === digestTemplates() &&
    listMigrations(folder).every((id) => known.has(id))
  );
}

/** The ids of migrations on disk. */
export function listMigrations(folder: string): readonly string[] {
  const root = join(folder, 'migrations');
  if (!existsSync(root)) return [];
  return readdirSync(root).filter((id) => existsSync(join(root, id, 'up.sql')));
}

export function recordedMigrations(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => migrationAt(path) ?? []);
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { digestTemplates } from '../render/template-files.ts';
import { version } from '../version.ts';
import { hashText } from './base.ts';
import { hasForeignMigrations } from './migration-folders.ts';
import {
  parseJson,
  conflictsPath,
  recordPath,
  runFolder,
  snapshotPath,
  readRemembered,
} from './paths.ts';

/**
 * Whether nothing has happened since the last run: the schema file is the same to the letter. Reads as little as it can;
 * `isUpToDate` knows as well of schemas that say the same in other words.
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

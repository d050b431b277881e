import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from './parse-json.ts';
import type { Record } from './record.ts';

/** Where the next migration goes. */
export interface HistoryEnd {
  /** Number of the next one. */
  readonly sequence: number;
  /** Id of the last one that the record knows. */
  readonly head: string;
}

export function findHistoryEnd(folder: string, { files }: Record): HistoryEnd {
  const recorded = new Set(Object.keys(files).flatMap(migrationOf));
  const present = listMigrations(folder);
  const numbers = [...recorded, ...present].map((id) => Number.parseInt(id, 10) || 0);
  const parents = new Set(present.map((id) => parentOf(folder, id)));
  const heads = [...recorded].filter((id) => !parents.has(id)).toSorted();
  return {
    sequence: Math.max(0, ...numbers) + 1,
    head: heads.at(-1) ?? [...recorded].toSorted().at(-1) ?? '',
  };
}

function migrationOf(path: string): readonly string[] {
  const [, id] = /^migrations\/([^/]+)\/meta\.json$/.exec(path) ?? [];
  return id === undefined ? [] : [id];
}

function listMigrations(folder: string): readonly string[] {
  const root = join(folder, 'migrations');
  if (!existsSync(root)) return [];
  return readdirSync(root).filter((id) => existsSync(join(root, id, 'meta.json')));
}

function parentOf(folder: string, id: string): unknown {
  const meta = parseJson(readFileSync(join(folder, 'migrations', id, 'meta.json'), 'utf8'));
  return typeof meta === 'object' && meta && 'parent' in meta ? meta.parent : undefined;
}

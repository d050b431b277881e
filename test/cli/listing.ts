import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Everything below a folder, in order. */
export function listing(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
}

export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
}

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One step of the schema's history: `migrations/<id>/up.sql`. */
export interface Migration {
  readonly id: string;
  readonly up: string;
  readonly checksum: string;
}

/** The same place from `src/database/` and from `dist/database/`. */
const migrationsFolder = fileURLToPath(new URL('../../migrations/', import.meta.url));

/** Oldest first: ids start with a number. */
export function readMigrations(folder = migrationsFolder): readonly Migration[] {
  return readdirSync(folder)
    .filter((id) => existsSync(join(folder, id, 'up.sql')))
    .toSorted()
    .map((id) => readMigration(folder, id));
}

/** The checksum is of the text, not of the bytes: line ends may differ between checkouts. */
function readMigration(folder: string, id: string): Migration {
  const up = readFileSync(join(folder, id, 'up.sql'), 'utf8').replaceAll('\r\n', '\n');
  return { id, up, checksum: `sha256:${createHash('sha256').update(up).digest('hex')}` };
}

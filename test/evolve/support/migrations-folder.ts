import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Migration } from '../../../src/evolve/migration.ts';

/** `migrations/` of a project, with these and no others. */
export function writeMigrations(folder: string, migrations: readonly Folder[]): void {
  rmSync(folder, { recursive: true, force: true });
  for (const { id, files } of migrations) {
    mkdirSync(join(folder, id), { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(folder, id, name), text);
    }
  }
}

export interface Folder extends Pick<Migration, 'id'> {
  readonly files: Readonly<Record<string, string>>;
}

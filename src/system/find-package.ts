import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where a package is installed that a project may use: its own, or one of the repository around it. */
export function findPackage(project: string, name: string): string | undefined {
  for (let folder = project; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return found;
    if (folder === dirname(folder)) return undefined;
  }
}

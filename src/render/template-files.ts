import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../templates');

/** Changes when any template does. */
export function digestTemplates(): string {
  const hash = createHash('sha256');
  for (const name of templateNames()) hash.update(`${name}\0${readTemplate(name)}\0`);
  return `sha256:${hash.digest('hex')}`;
}

export function templateNames(): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .toSorted();
}

export function readTemplate(name: string): string {
  return readFileSync(join(root, name), 'utf8');
}

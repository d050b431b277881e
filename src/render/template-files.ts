import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { digest } from '../digest.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../templates');

// Templates do not change while the program runs, so results are remembered.
const texts = new Map<string, string>();
let known: string | undefined;
let names: readonly string[] | undefined;

/** A hash of all templates. */
export function digestTemplates(): string {
  return (known ??= digest(
    templateNames()
      .map((name) => `${name}\0${readTemplate(name)}\0`)
      .join(''),
  ));
}

export function templateNames(): readonly string[] {
  return (names ??= findNames());
}

function findNames(): readonly string[] {
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
  const text = texts.get(name) ?? readFileSync(join(root, name), 'utf8');
  texts.set(name, text);
  return text;
}

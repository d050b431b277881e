import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { digest } from '../digest.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../templates');

// Templates do not change while the program runs, so results are remembered.
const knownTexts = new Map<string, string>();
let knownFolder: string | undefined;
let knownNames: readonly string[] | undefined;

/** A hash of all templates. */
export function digestTemplates(): string {
  return (knownFolder ??= digest(
    templateNames()
      .map((name) => `${name}\0${readTemplate(name)}\0`)
      .join(''),
  ));
}

export function templateNames(): readonly string[] {
  return (knownNames ??= listTemplateNames());
}

function listTemplateNames(): readonly string[] {
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
  const text = knownTexts.get(name) ?? readFileSync(join(root, name), 'utf8');
  knownTexts.set(name, text);
  return text;
}

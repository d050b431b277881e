import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readExplanations } from '../../src/commands/explain.ts';
import { root } from './root.ts';

/** What `docs/errors.md` says of each code. */
export const explanations = readExplanations();

/** Examples of too much, which the page cuts: their length is their point. */
const tooLarge: Readonly<Record<string, string>> = {
  SCF113: `models: ${'['.repeat(65)}${']'.repeat(65)}`,
  SCF121: `models: { Log: { fields: { ${Array.from({ length: 301 }, (_, at) => `f${at}: int`).join(', ')} } } }`,
};

/** Those that a schema can raise, with an example that raises each. */
export const schemaExplanations = [...explanations]
  .filter(([code]) => codesIn('src/schema', 'src/patterns').has(code))
  .map(([code, it]) => [code, { ...it, bad: tooLarge[code] ?? it.bad }] as const);

/** The codes that the sources in these folders name. */
export function codesIn(...folders: readonly string[]): ReadonlySet<string> {
  const texts = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.[jt]s$/.test(path))
      .map((path) => readFileSync(join(root, folder, path), 'utf8')),
  );
  return new Set(texts.flatMap((text) => text.match(/\bSCF\d{3}\b/g) ?? []));
}

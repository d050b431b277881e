import type { Source } from './source.ts';

/** From the ground up. A file may import from its own floor and from those below it; neighbours on one line are apart. */
const floors: readonly (readonly string[])[] = [
  ['errors.ts'],
  [
    'version.ts',
    'digest.ts',
    'display-width.ts',
    'json.ts',
    'group-by.ts',
    'present.ts',
    'remember.ts',
    'words.ts',
  ],
  ['markdown-table.ts'],
  ['naming', 'patterns'],
  ['types'],
  ['schema'],
  ['model'],
  ['merge'],
  ['render', 'evolve'],
  ['project'],
  ['terminal', 'system', 'import'],
  ['commands'],
  ['cli.ts'],
];

/** The only files, or folders, that may import a library. A library that is not listed may be imported by nobody. */
const doors: Readonly<Record<string, readonly string[]>> = {
  commander: ['commands/command-line.ts', 'commands/run-command-line.ts'],
  prompts: ['terminal/ask.ts'],
  chalk: ['terminal/style.ts'],
  execa: ['system/'],
  handlebars: ['render/templates.ts'],
  'ts-morph': ['merge/typescript/'],
  'node-diff3': ['merge/text.ts'],
  yaml: ['schema/read.ts', 'import/write-schema.ts'],
  pg: ['import/database/connect.ts'],
  '@mrleebo/prisma-ast': ['import/prisma/parser.ts'],
  zod: [
    'model/app-shape.ts',
    'model/field-shape.ts',
    'model/rule.ts',
    'model/snapshot.ts',
    'evolve/heads/stored-migrations.ts',
    'project/record.ts',
    'project/open-conflicts.ts',
    'project/journal/journal.ts',
    'project/journal/run-lock.ts',
    'commands/database-status.ts',
  ],
  '@eslint-community/regexpp': ['patterns/'],
};

/** Pure: the same values out for the same values in, whatever the machine, the clock or the disk. */
const pure = [
  'errors.ts',
  'digest.ts',
  'display-width.ts',
  'json.ts',
  'markdown-table.ts',
  'group-by.ts',
  'present.ts',
  'remember.ts',
  'words.ts',
  'naming/',
  'patterns/',
  'types/',
  'schema/',
  'model/',
  'render/',
  'evolve/',
  'merge/',
];
const impure = ['render/template-files.ts'];
const harmlessModules = new Set(['node:path', 'node:util', 'node:crypto']);

const longest = 250;

export type Rule = (sources: readonly Source[]) => string[];

/** Imports go down. */
export const upwardImports: Rule = (sources) =>
  sources.flatMap((source) =>
    source.imports
      .filter((it) => it.relative && !isBelow(source.path, it.from))
      .map(
        (it) =>
          `${source.path} (${floorName(source.path)}) imports ${it.from} (${floorName(it.from)})`,
      ),
  );

/** One door a library. */
export const sideDoors: Rule = (sources) =>
  sources.flatMap((source) =>
    source.imports
      .filter((it) => !it.relative && !it.from.startsWith('node:'))
      .filter((it) => !(doors[it.from] ?? []).some((door) => isInside(source.path, door)))
      .map(
        (it) =>
          `${source.path} imports ${it.from}, whose door is ${doors[it.from]?.join(', ') ?? 'nowhere'}`,
      ),
  );

export const impurities: Rule = (sources) =>
  sources
    .filter(({ path }) => pure.some((it) => isInside(path, it)) && !impure.includes(path))
    .flatMap((source) => [
      ...source.effects.map((effect) => `${source.path} is pure and uses ${effect}`),
      ...source.imports
        .filter((it) => it.from.startsWith('node:') && !harmlessModules.has(it.from))
        .map((it) => `${source.path} is pure and imports ${it.from}`),
    ]);

export const circles: Rule = (sources) => {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push([...trail.slice(start), path].join(' → '));
    if (start >= 0 || done.has(path)) return;
    for (const it of byPath.get(path)?.imports ?? [])
      if (it.relative) walk(it.from, [...trail, path]);
    done.add(path);
  };
  for (const { path } of sources) walk(path, []);
  return found;
};

/** Whoever deletes a rule of the language takes it out of the list of rules, and is done. */
export const importedRules: Rule = (sources) =>
  sources.flatMap((source) =>
    source.imports
      .filter((it) => it.from.startsWith('schema/rules/') && source.path !== 'schema/parse.ts')
      .map((it) => `${source.path} imports the rule ${it.from}`),
  );

export const longFiles: Rule = (sources) =>
  sources
    .filter(({ lines }) => lines > longest)
    .map(({ path, lines }) => `${path} has ${lines} lines`);

/** A name at the top of a module has one meaning, whether others see it or not. */
export const repeatedNames: Rule = (sources) => {
  const homes = new Map<string, string[]>();
  for (const { path, names } of sources) {
    for (const name of names) homes.set(name, [...(homes.get(name) ?? []), path]);
  }
  return [...homes]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name} is declared by ${paths.join(' and ')}`);
};

function isBelow(from: string, to: string): boolean {
  if (floorName(from) === floorName(to)) return true;
  return floorOf(to) >= 0 && floorOf(to) < floorOf(from);
}

function floorOf(path: string): number {
  return floors.findIndex((names) => names.includes(floorName(path)));
}

/** The folder below `src/`, or the file itself when it lies in none. */
function floorName(path: string): string {
  return path.split('/')[0] ?? path;
}

function isInside(path: string, place: string): boolean {
  return place.endsWith('/') ? path.startsWith(place) : path === place;
}

/** The share of lines with the opening, the middle or the end of a block. */
export function controlShare(templates: readonly string[]): number {
  const lines = templates.flatMap((text) => text.trimEnd().split('\n'));
  return lines.filter((line) => /\{\{~?(?:[#/^]|else)/.test(line)).length / lines.length;
}

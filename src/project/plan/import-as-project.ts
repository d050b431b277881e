import { exportedNames } from '../../merge/exported-names.ts';
import { readText } from '../disk.ts';
import {
  type Alias,
  nameOf,
  readAliases,
  replaceImports,
  findImported,
  isRelative,
  listCode,
  targetOf,
  targetsOf,
} from '../imports.ts';
import type { Change } from '../plan.ts';
import type { Project } from '../read-project.ts';
import { wordsOf } from './spellings.ts';

/**
 * What is new imports what is there as the rest of the project does: by its aliases, and by the names that it gave.
 * `made`: what is made now, by path.
 */
export function importAsProject(
  changes: readonly Change[],
  project: Project,
  made: ReadonlyMap<string, string>,
): readonly Change[] {
  const isOwn = ({ path, after }: Change) => after !== made.get(path);
  const concerned = changes.filter((it) => isNew(it) || (isOwn(it) && newPaths(it).size > 0));
  if (concerned.length === 0) return changes;
  const planned = new Map(changes.map(({ path, after }) => [path, after]));
  const read = (path: string) =>
    planned.has(path) ? planned.get(path) : readText(project.disk, path);
  const way = readWay(project);
  return changes.map((change) => {
    const { path, before = '', after } = change;
    if (after === undefined || !concerned.includes(change)) return change;
    if (!isNew(change)) {
      const added = newPaths(change);
      const aliases = way.aliasesOf({ path, text: before });
      const paths = aliases ? added : new Set([...added].filter(isFromAbove));
      const isMeant = (specifier: string) => paths.has(specifier);
      return { ...change, after: byAlias({ path, text: after }, aliases ?? way.aliases, isMeant) };
    }
    const named = withOwnNames({ path, text: after }, read, made);
    return { ...change, after: byAlias({ path, text: named }, way.aliases, isFromAbove) };
  });
}

interface File {
  readonly path: string;
  readonly text: string;
}

const isNew = ({ action, path }: Change) => action === 'create' && path.endsWith('.ts');

/** Relative ways to other folders that a file of its owner's did not have. */
function newPaths({ path, before, after }: Change): ReadonlySet<string> {
  if (before === undefined || after === undefined || !path.endsWith('.ts')) return new Set();
  const known = new Set(specifiersIn(before));
  return new Set(specifiersIn(after).filter((it) => leadsElsewhere(it) && !known.has(it)));
}

function byAlias(
  { path, text }: File,
  aliases: readonly Alias[],
  isMeant: (specifier: string) => boolean,
): string {
  if (aliases.length === 0) return text;
  return replaceImports(text, (specifier) => {
    if (!isMeant(specifier)) return specifier;
    const target = targetOf(specifier, path);
    return aliases.flatMap((alias) => nameOf(target, alias) ?? [])[0] ?? specifier;
  });
}

/** An export that its owner renamed comes in by its new name, under the one that is used here. */
function withOwnNames(
  { path, text }: File,
  read: (path: string) => string | undefined,
  made: ReadonlyMap<string, string>,
): string {
  const form = /^(import\s+(?:type\s+)?\{)([^}]*)(\}\s*from\s*(['"])(\.\.?\/[^'"\n]+)\4)/gm;
  return text.replace(
    form,
    (whole, head: string, list: string, tail: string, _, specifier: string) => {
      const target = targetOf(specifier, path);
      const [is, was] = [read(target), made.get(target)];
      if (is === undefined || was === undefined || is === was) return whole;
      const [here, there] = [exportedNames(is), exportedNames(was)];
      const gained = [...here].filter((name) => !there.has(name));
      const names = list.replace(
        /(?<!\bas\s+)(?<![\w$])([A-Za-z_$][\w$]*)(?=\s*(?:,|$|\s+as\s))/g,
        (name) => {
          if (!there.has(name) || here.has(name)) return name;
          const now = gained.find((it) => isMostly(declared(is, it), declared(was, name)));
          return now === undefined ? name : `${now} as ${name}`;
        },
      );
      return head + names + tail;
    },
  );
}

/** Whether a declaration is another one, but for a few words. */
function isMostly(is: readonly string[], was: readonly string[]): boolean {
  const words = new Set(is);
  const isBoth = is.length > 0 && was.length > 0;
  return isBoth && was.filter((word) => words.has(word)).length > was.length * 0.8;
}

/** The words of a declaration after its name, up to the next one. */
function declared(text: string, name: string): readonly string[] {
  const start = new RegExp(
    `^export\\s+(?:async\\s+)?[a-z]+\\*?\\s+${name.replaceAll('$', '\\$')}(?![\\w$])`,
    'm',
  );
  const found = start.exec(text);
  if (!found) return [];
  const [body = ''] = text.slice(found.index + found[0].length).split(/\n(?=export\b|\/\*\*)/, 1);
  return wordsOf(body);
}

/**
 * How the project imports from other folders: the aliases by which most of its files do, none when they do so by paths;
 * and those for one file, undefined where it imports nothing from elsewhere.
 */
function readWay({ folder, disk }: Project) {
  const all = readAliases(disk);
  const isThere = (path: string) => disk(path)?.kind === 'text';
  const aliasFor = (specifier: string) =>
    isRelative(specifier)
      ? undefined
      : all.find((it) => findImported(targetsOf(specifier, '', [it]), isThere) !== undefined);
  const used = new Set<Alias>();
  /** A path to where no alias leads says nothing of either way. */
  const balanceOf = ({ path, text }: File, isCounted: (specifier: string) => boolean) => {
    const isReached = (specifier: string) =>
      all.some((alias) => nameOf(targetOf(specifier, path), alias) !== undefined);
    const found = specifiersIn(text).map((specifier) => ({
      specifier,
      alias: aliasFor(specifier),
    }));
    const aliases = found.flatMap(({ alias }) => alias ?? []);
    const relative = found.filter(
      ({ specifier, alias }) => !alias && isCounted(specifier) && isReached(specifier),
    );
    return { aliases, relative: relative.length };
  };
  let balance = 0;
  for (const path of all.length > 0 ? listCode(folder) : []) {
    const { aliases, relative } = balanceOf(
      { path, text: readText(disk, path) ?? '' },
      isFromAbove,
    );
    for (const alias of aliases) used.add(alias);
    balance += aliases.length - relative;
  }
  return {
    aliases: balance > 0 ? [...used] : [],
    aliasesOf(file: File): readonly Alias[] | undefined {
      if (all.length === 0) return [];
      const { aliases, relative } = balanceOf(file, leadsElsewhere);
      if (aliases.length + relative === 0) return undefined;
      return aliases.length > relative ? [...new Set([...aliases, ...used])] : [];
    },
  };
}

const isFromAbove = (specifier: string) => specifier.startsWith('../');

/** Not to a file beside. */
const leadsElsewhere = (specifier: string) =>
  /^\.\.?\/.*\//.test(specifier) || isFromAbove(specifier);

function specifiersIn(text: string): readonly string[] {
  const found = text.matchAll(/\bfrom\s*(['"])([^'"\n]+)\1/g);
  return [...found].map(([, , specifier = '']) => specifier);
}

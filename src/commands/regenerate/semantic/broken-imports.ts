import { posix } from 'node:path';
import { exportedNames } from '../../../merge/exported-names.ts';
import { type Alias, pathsBehind, readAliases } from '../../../project/aliases.ts';
import { type Disk, openDisk } from '../../../project/disk.ts';
import { listCode } from '../../../project/moved/list-code.ts';
import type { Plan } from '../../../project/plan.ts';
import { findFile, type IsThere } from '../../../project/relative-imports.ts';
import type { Texts } from '../../../system/mirror.ts';
import type { TypeProblem } from '../../../system/type-check.ts';

/**
 * Imports that find their file and their names on the disk and will not, as the plan leaves it. What a compiler says of
 * them, for where there is none to ask.
 */
export function findBrokenImports(
  folder: string,
  { changes }: Plan,
  texts: Texts,
): readonly TypeProblem[] {
  const disk = openDisk(folder);
  const onDisk = readTextsOf(disk);
  const paths = new Set([...listCode(folder), ...[...texts.keys()].filter(isCode)]);
  const before = { aliases: readAliases(disk), read: onDisk };
  const after = {
    aliases: readAliases(withTexts(disk, texts)),
    read: (path: string) => (texts.has(path) ? texts.get(path) : onDisk(path)),
  };
  const open = new Set(changes.flatMap((it) => (it.conflicts.length > 0 ? [it.path] : [])));
  const movedFrom = new Map(changes.map(({ path, from }) => [path, from ?? path]));
  return [...paths].toSorted().flatMap((path) => {
    if (open.has(path)) return [];
    const found = brokenIn(path, after);
    if (found.length === 0) return [];
    const former = new Set(
      brokenIn(movedFrom.get(path) ?? path, before).map(({ message }) => message),
    );
    return found.filter(({ message }) => !former.has(message));
  });
}

interface Tree {
  readonly aliases: readonly Alias[];
  /** Undefined: no file. */
  readonly read: (path: string) => string | undefined;
}

const isCode = (path: string) => /(?<!\.d)\.ts$/.test(path);

function brokenIn(path: string, tree: Tree): readonly TypeProblem[] {
  const text = tree.read(path) ?? '';
  return importsOf(text).flatMap(({ specifier, names, offset }): readonly TypeProblem[] => {
    const targets = targetsOf(specifier, path, tree.aliases);
    if (targets.length === 0) return [];
    const above = text.slice(0, offset).split('\n');
    const place = { path, line: above.length, column: (above.at(-1) ?? '').length + 1 };
    const isThere: IsThere = (it) => tree.read(it) !== undefined;
    const target = targets.flatMap((it) => findFile(it, isThere) ?? [])[0];
    if (target === undefined) {
      const message = `Cannot find module '${specifier}'.`;
      return [{ ...place, code: 'TS2307', message }];
    }
    const exported = isCode(target) ? namesFrom(target, tree, new Set()) : undefined;
    if (exported === undefined) return [];
    return names
      .filter((name) => !exported.has(name))
      .map((name) => {
        const message = `Module '"${specifier}"' has no exported member '${name}'.`;
        return { ...place, code: 'TS2305', message };
      });
  });
}

interface Import {
  readonly specifier: string;
  readonly names: readonly string[];
  /** Of the specifier. */
  readonly offset: number;
}

const statement =
  /^(?:import\b(?:\s*|([^'"`;=]*?)\bfrom\s*)|export\b([^'"`;=]*?)\bfrom\s*)(['"])([^'"\n]+)\3/gm;

function importsOf(text: string): readonly Import[] {
  return [...text.matchAll(statement)].map((found) => {
    const [whole, brought, handed, , specifier = ''] = found;
    const [, list = ''] = /\{([^}]*)\}/.exec(brought ?? handed ?? '') ?? [];
    const names = list
      .replace(/\/\*[^]*?\*\/|\/\/[^\n]*/g, '')
      .split(',')
      .map(
        (it) =>
          it
            .trim()
            .replace(/^type\s+/, '')
            .split(/\s+as\s+/)[0] ?? '',
      )
      .filter((name) => /^[\w$]+$/.test(name) && name !== 'default');
    return { specifier, names, offset: found.index + whole.length - specifier.length - 2 };
  });
}

/** None when it is a package's. */
function targetsOf(specifier: string, path: string, aliases: readonly Alias[]): readonly string[] {
  if (/^\.\.?\//.test(specifier)) return [posix.join(posix.dirname(path), specifier)];
  return pathsBehind(specifier, aliases);
}

/** Undefined when its text does not tell. */
function namesFrom(path: string, tree: Tree, seen: Set<string>): ReadonlySet<string> | undefined {
  const text = tree.read(path) ?? '';
  if (seen.has(path)) return new Set();
  seen.add(path);
  if (beyond.test(text)) return undefined;
  const names = new Set(exportedNames(text));
  for (const [, as, specifier = ''] of text.matchAll(handedOn)) {
    if (as !== undefined) {
      names.add(as);
      continue;
    }
    const [target] = targetsOf(specifier, path, tree.aliases).flatMap(
      (it) => findFile(it, (file) => tree.read(file) !== undefined) ?? [],
    );
    const others = target === undefined ? undefined : namesFrom(target, tree, seen);
    if (others === undefined) return undefined;
    for (const name of others) names.add(name);
  }
  return names;
}

/** Exports that take more than a look. */
const beyond =
  /^export\s+(?:=|(?:declare\s+)?(?:const|let|var)\s*[{[]|(?:declare\s+)?(?:namespace|module)\b|import\b)/m;

const handedOn = /^export\s+(?:type\s+)?\*\s*(?:as\s+([\w$]+)\s+)?from\s*['"]([^'"\n]+)['"]/gm;

function readTextsOf(disk: Disk) {
  return (path: string): string | undefined => {
    const found = disk(path);
    return found?.kind === 'text' ? found.text : undefined;
  };
}

function withTexts(disk: Disk, texts: Texts): Disk {
  return (path) => {
    const text = texts.get(path);
    return text === undefined ? disk(path) : { kind: 'text', text, mode: '644', isReadOnly: false };
  };
}

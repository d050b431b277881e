import type { Project } from '../../../project/read-project.ts';
import type { Regeneration } from '../../../project/regeneration.ts';
import {
  findPackage,
  NoTypeCheck,
  withTypeCheck,
  type TypeProblem,
} from '../../../system/own-tools.ts';
import type { Texts } from '../../../system/mirror.ts';
import { mentionsInOwnCode, type Mention } from './mentions.ts';
import { offsetOf, plannedTexts, textAt } from './places.ts';
import { newNames } from './new-names.ts';
import { newProblemFinder } from './new-problem-finder.ts';
import { findOwnUses, type OwnUse } from './own-uses.ts';
import { isRead, trustedFiles } from './trusted-files.ts';
import { posix } from 'node:path';
import { exportedNames } from '../../../merge/exported-names.ts';
import {
  type Alias,
  pathsBehind,
  readAliases,
  listCode,
  findFile,
  type IsThere,
} from '../../../project/imports.ts';
import { type Disk, openDisk } from '../../../project/disk.ts';
import type { Plan } from '../../../project/plan.ts';

interface SemanticConflict extends TypeProblem {
  /** The word at the place, and what it is called now. */
  readonly renamed?: { readonly from: string; readonly to: string };
}

export interface SemanticReport {
  /** Places that type-check now and will not, as their files will be. */
  readonly conflicts: readonly SemanticConflict[];
  /** Texts that name what is gone; of lines without a conflict. */
  readonly mentions: readonly Mention[];
  /** Lines that still compile and mean something else, because names were swapped or handed on. */
  readonly uses?: readonly OwnUse[];
  /** Why nobody type-checked; a sentence. */
  readonly unchecked?: string;
}

const nothing: SemanticReport = { conflicts: [], mentions: [] };

/**
 * What no merge of texts can see: code of the owner's that uses what the schema has renamed, retyped or removed. `left`:
 * uses of names that mean another thing, where somebody has looked for them.
 */
export async function findSemanticConflicts(
  project: Project,
  regeneration: Regeneration,
  interruption: AbortSignal,
  left?: readonly OwnUse[],
): Promise<SemanticReport> {
  const texts = plannedTexts(regeneration.plan);
  if (![...texts.keys()].some(isRead)) return nothing;
  const { trusted, isWhole } = trustedFiles(project, regeneration, texts);
  if (isWhole) return nothing;
  const mentions = await mentionsInOwnCode(project, regeneration, texts);
  const uses = left ?? (await findOwnUses(project, regeneration, texts));
  const reported = (problems: readonly TypeProblem[]): SemanticReport => {
    const conflicts = withNewNames(problems, project, regeneration, texts);
    const seen = new Set([...conflicts, ...uses].map(lineOf));
    const found = { conflicts, ...(uses.length > 0 && { uses }) };
    return { ...found, mentions: mentions.filter((it) => !seen.has(lineOf(it))) };
  };
  try {
    refuseMissingPackages(project, texts);
    const at = { folder: project.folder, trusted, interruption };
    const problems = await withTypeCheck(at, (check) =>
      newProblemFinder(check, { project, regeneration })(texts),
    );
    return reported(problems);
  } catch (error) {
    if (!(error instanceof NoTypeCheck)) throw error;
    const { findLostNames } = await import('./lost-names.ts');
    const broken = [
      ...findBrokenImports(project.folder, regeneration.plan, texts),
      ...findLostNames(regeneration.plan),
    ];
    return { ...reported(broken), unchecked: error.message };
  }
}

function withNewNames(
  problems: readonly TypeProblem[],
  project: Project,
  regeneration: Regeneration,
  texts: Texts,
): readonly SemanticConflict[] {
  if (problems.length === 0) return [];
  const respell = newNames(project.app, regeneration);
  return problems.map((problem) => {
    const text = textAt(project, texts, problem.path);
    const [, from = ''] = /^['"`]?([\w$]+)/.exec(text.slice(offsetOf(text, problem))) ?? [];
    const [to, another] = respell(from);
    const isMeant = new RegExp(`['"]${from}['"]`).test(problem.message);
    return isMeant && to !== undefined && another === undefined
      ? { ...problem, renamed: { from, to } }
      : problem;
  });
}

function refuseMissingPackages({ folder }: Project, texts: Texts): void {
  const wanted = packagesOf(texts.get('package.json'));
  const missing = wanted.filter((name) => findPackage(folder, name) === undefined);
  if (missing.length > 0) throw new NoTypeCheck(`It needs ${missing.join(', ')}: install first.`);
}

const lineOf = ({ path, line }: Mention | OwnUse | TypeProblem) => `${path}:${line}`;

/** What a `package.json` asks for; nothing when there is none, or it cannot be read. */
function packagesOf(manifest: string | undefined): readonly string[] {
  try {
    const { dependencies, optionalDependencies, devDependencies }: Manifest = JSON.parse(
      manifest ?? '',
    );
    return Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
  } catch {
    return [];
  }
}

interface Manifest {
  readonly dependencies?: object;
  readonly optionalDependencies?: object;
  readonly devDependencies?: object;
}

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

interface Side {
  readonly aliases: readonly Alias[];
  /** Undefined: no file. */
  readonly read: (path: string) => string | undefined;
}

const isCode = (path: string) => /(?<!\.d)\.ts$/.test(path);

function brokenIn(path: string, side: Side): readonly TypeProblem[] {
  const text = side.read(path) ?? '';
  return importsOf(text).flatMap(({ specifier, names, offset }): readonly TypeProblem[] => {
    const targets = targetsOf(specifier, path, side.aliases);
    if (targets.length === 0) return [];
    const above = text.slice(0, offset).split('\n');
    const place = { path, line: above.length, column: (above.at(-1) ?? '').length + 1 };
    const isThere: IsThere = (it) => side.read(it) !== undefined;
    const target = targets.flatMap((it) => findFile(it, isThere) ?? [])[0];
    if (target === undefined) {
      const message = `Cannot find module '${specifier}'.`;
      return [{ ...place, code: 'TS2307', message }];
    }
    const exported = isCode(target) ? namesFrom(target, side, new Set()) : undefined;
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
function namesFrom(path: string, side: Side, seen: Set<string>): ReadonlySet<string> | undefined {
  const text = side.read(path) ?? '';
  if (seen.has(path)) return new Set();
  seen.add(path);
  if (beyond.test(text)) return undefined;
  const names = new Set(exportedNames(text));
  for (const [, as, specifier = ''] of text.matchAll(handedOn)) {
    if (as !== undefined) {
      names.add(as);
      continue;
    }
    const [target] = targetsOf(specifier, path, side.aliases).flatMap(
      (it) => findFile(it, (file) => side.read(file) !== undefined) ?? [],
    );
    const others = target === undefined ? undefined : namesFrom(target, side, seen);
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

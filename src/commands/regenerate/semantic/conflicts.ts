import { exportedNames } from '../../../merge/exported-names.ts';
import {
  type Alias,
  findImported,
  readAliases,
  listCode,
  targetsOf,
} from '../../../project/imports.ts';
import type { Plan } from '../../../project/plan.ts';
import { formerBases } from '../../../project/plan/former-files.ts';
import { newNames } from '../../../project/plan/spellings.ts';
import type { Project } from '../../../project/read-project.ts';
import type { Regeneration } from '../../../project/regeneration.ts';
import type { Texts } from '../../../system/mirror.ts';
import {
  findPackage,
  NoTypeCheck,
  withTypeCheck,
  type TypeProblem,
} from '../../../system/own-tools.ts';
import { readManifest } from '../../../system/package-manager.ts';
import { mentionsInOwnCode, type Mention } from './mentions.ts';
import { newProblemFinder } from './new-problem-finder.ts';
import { findOwnUses, type OwnUse } from './own-uses.ts';
import { offsetOf, openFiles, placeAt, plannedTexts, readWith, type Read } from './places.ts';
import { isRead, trustedFiles } from './trusted-files.ts';

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
 * What no merge of texts can see: code of the owner's that uses what the schema has renamed, retyped or removed.
 */
export async function findSemanticConflicts(
  project: Project,
  regeneration: Regeneration,
  interruption: AbortSignal,
): Promise<SemanticReport> {
  const texts = plannedTexts(regeneration.plan);
  if (![...texts.keys()].some(isRead)) return nothing;
  const { trusted, isWhole } = trustedFiles(project, regeneration, texts);
  if (isWhole) return nothing;
  const mentions = await mentionsInOwnCode(project, regeneration, texts);
  const uses = await findOwnUses(project, regeneration, texts);
  const reported = (problems: readonly TypeProblem[], isCompiled: boolean): SemanticReport => {
    const conflicts = withNewNames(problems, project, regeneration, texts);
    const seen = new Set([...conflicts, ...uses].map(lineOf));
    const others = mentions
      .filter((it) => !seen.has(lineOf(it)))
      // What compiles may be any word.
      .map((it) => (it.isValue && !isCompiled ? { ...it, isBroken: true } : it));
    return { conflicts, mentions: others, ...(uses.length > 0 && { uses }) };
  };
  try {
    refuseMissingPackages(project, texts);
    const at = { folder: project.folder, trusted, interruption };
    const problems = await withTypeCheck(at, (check) =>
      newProblemFinder(check, project, regeneration)(texts),
    );
    return reported(problems, true);
  } catch (error) {
    if (!(error instanceof NoTypeCheck)) throw error;
    const { lostNames } = await import('../../../merge/typescript/needed-imports.ts');
    const broken = [
      ...findBrokenImports(project, regeneration.plan, texts),
      ...findLostNames(regeneration.plan, lostNames),
    ];
    return { ...reported(broken, false), unchecked: error.message };
  }
}

/** What the compiler says of the owner's code as it stands: a run may have had none to ask. */
export async function checkAsItStands(
  project: Project,
  interruption: AbortSignal,
): Promise<SemanticReport> {
  const texts: Texts = new Map();
  const baseOf = formerBases(project);
  const made = new Map(
    Object.entries(project.record.files).flatMap(([path, recorded]) => {
      const base = isRead(path) ? baseOf({ path, recorded }) : undefined;
      return base === undefined ? [] : [[path, base] as const];
    }),
  );
  const { trusted, isWhole } = trustedFiles(project, { made }, texts);
  if (isWhole) return nothing;
  const at = { folder: project.folder, trusted, interruption };
  try {
    return { ...nothing, conflicts: await withTypeCheck(at, (check) => check(texts)) };
  } catch (error) {
    if (!(error instanceof NoTypeCheck)) throw error;
    return { ...nothing, unchecked: error.message };
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
  const read = readWith(project.disk, texts);
  return problems.map((problem) => {
    const text = read(problem.path) ?? '';
    const [, from = ''] = /^['"`]?([\w$]+)/.exec(text.slice(offsetOf(text, problem))) ?? [];
    const [to, another] = respell(from);
    const isMeant = new RegExp(`['"]${from}['"]`).test(problem.message);
    return isMeant && to !== undefined && another === undefined
      ? { ...problem, renamed: { from, to } }
      : problem;
  });
}

function refuseMissingPackages({ folder }: Project, texts: Texts): void {
  const wanted = Object.keys(readManifest(texts.get('package.json')).packages);
  const missing = wanted.filter((name) => findPackage(folder, name) === undefined);
  if (missing.length > 0) throw new NoTypeCheck(`It needs ${missing.join(', ')}: install first.`);
}

const lineOf = ({ path, line }: Mention | OwnUse | TypeProblem) => `${path}:${line}`;

/**
 * Imports that find their file and their names on the disk and will not, as the plan leaves it. What a compiler says of
 * them, for where there is none to ask: an export that takes more than a look is believed to be there.
 */
export function findBrokenImports(
  { folder, disk }: Pick<Project, 'folder' | 'disk'>,
  plan: Plan,
  texts: Texts,
): readonly TypeProblem[] {
  const aliases = readAliases(disk);
  const paths = new Set([...listCode(folder), ...[...texts.keys()].filter(isCode)]);
  const open = openFiles(plan);
  const movedFrom = new Map(plan.changes.map(({ path, from }) => [path, from ?? path]));
  return [...paths].toSorted().flatMap((path) => {
    if (open.has(path)) return [];
    const found = brokenIn(path, readWith(disk, texts), aliases);
    if (found.length === 0) return [];
    const before = brokenIn(movedFrom.get(path) ?? path, readWith(disk, new Map()), aliases);
    const former = new Set(before.map(({ message }) => message));
    return found.filter(({ message }) => !former.has(message));
  });
}

const isCode = (path: string) => /(?<!\.d)\.ts$/.test(path);

function brokenIn(path: string, read: Read, aliases: readonly Alias[]): readonly TypeProblem[] {
  const text = read(path) ?? '';
  return [...text.matchAll(statement)].flatMap((found): readonly TypeProblem[] => {
    const [whole, list = '', , specifier = ''] = found;
    const targets = targetsOf(specifier, path, aliases);
    if (targets.length === 0) return [];
    const offset = found.index + whole.length - specifier.length - 2;
    const place = { path, ...placeAt(text, offset) };
    const target = findImported(targets, (file) => read(file) !== undefined);
    if (target === undefined) {
      return [{ ...place, code: 'TS2307', message: `Cannot find module '${specifier}'.` }];
    }
    const there = read(target) ?? '';
    if (!isCode(target) || beyond.test(there)) return [];
    const exported = exportedNames(there);
    return namesIn(list)
      .filter((name) => !exported.has(name))
      .map((name) => {
        const message = `Module '"${specifier}"' has no exported member '${name}'.`;
        return { ...place, code: 'TS2305', message };
      });
  });
}

const statement = /^(?:import|export)\b(?:\s*|([^'"`;=]*?)\bfrom\s*)(['"])([^'"\n]+)\2/gm;

/** Exports that take more than a look. */
const beyond =
  /^export\s+(?:=|(?:type\s+)?\*|(?:declare\s+)?(?:const|let|var)\s*[{[]|(?:declare\s+)?(?:namespace|module)\b|import\b)/m;

/** `find` of `{ type find as seek }` */
function namesIn(list: string): readonly string[] {
  const [, named = ''] = /\{([^}]*)\}/.exec(list) ?? [];
  return named
    .replace(/\/\*[^]*?\*\/|\/\/[^\n]*/g, '')
    .split(',')
    .flatMap((it) => /^\s*(?:type\s+)?([\w$]+)/.exec(it)?.[1] ?? [])
    .filter((name) => name !== 'default');
}

/**
 * Names that a merged file uses and no longer declares, because what it imported has another name now: what a compiler
 * says of them.
 */
function findLostNames(
  { changes }: Plan,
  lostNames: (text: string, before: string) => readonly string[],
): readonly TypeProblem[] {
  return changes.flatMap(({ path, before, after, conflicts }): readonly TypeProblem[] => {
    if (before === undefined || after === undefined || before === after) return [];
    if (conflicts.length > 0 || !isCode(path)) return [];
    return lostNames(after, before).flatMap((name) =>
      placesOf(name, after).map((place) => ({
        path,
        ...place,
        code: 'TS2304',
        message: `Cannot find name '${name}'.`,
      })),
    );
  });
}

/** Where a word stands outside of texts and comments, as far as a line tells. */
function placesOf(name: string, text: string) {
  const form = new RegExp(`(?<![\\w$.'"\`])${name.replaceAll('$', '\\$')}(?![\\w$'"\`])`, 'g');
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*(?:\/\/|\/?\*)/.test(line)) return [];
    return [...line.matchAll(form)].map((found) => ({ line: index + 1, column: found.index + 1 }));
  });
}

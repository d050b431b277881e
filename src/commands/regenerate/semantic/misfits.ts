import { loadTypeScript } from '../../../merge/load-typescript.ts';
import { readFormerBases } from '../../../project/plan/match-record.ts';
import type { Project } from '../../../project/read-project.ts';
import type { Regeneration } from '../../../project/regeneration.ts';
import type { Texts } from '../../../project/disk.ts';
import {
  NoTypeCheck,
  tryTypeCheck,
  type TypeProblem,
  withTypeCheck,
} from '../../../system/project-compiler.ts';
import { readManifest, findPackage } from '../../../system/package-manager.ts';
import { joinWithAnd } from '../../../words.ts';
import { listMentions, type Mention } from './mentions.ts';
import { listChangedQueries, type ChangedQuery } from './changed-queries.ts';
import { listRemovedWords } from './removed-words.ts';
import { listOwnerFiles, type OwnerCode } from './owner-code.ts';
import { listReusedNameUses, type ReusedNameUse } from './reused-name-uses.ts';
import { type CodePlace, offsetAt, plannedTexts, type ReadText, readWith } from './places.ts';
import { isReadByCompiler, findTrustedFiles } from './trusted-files.ts';
import { listBrokenImports, listUndeclaredUses } from './broken-imports.ts';

interface Misfit extends TypeProblem {
  /** The old and new name of the word at that place. */
  readonly renamed?: { readonly from: string; readonly to: string };
}

export interface SemanticReport {
  /** Places that type-check now but not after the plan. */
  readonly misfits: readonly Misfit[];
  /** Strings with removed names, in lines without a conflict. */
  readonly mentions: readonly Mention[];
  /** Lines with a name that has another meaning now. */
  readonly uses: readonly ReusedNameUse[];
  /** Queries that still compile, but whose rows are not what they were. */
  readonly changedQueries: readonly ChangedQuery[];
  /** A sentence that says why nothing was type-checked. */
  readonly unchecked?: string;
}

export const noMisfits: SemanticReport = {
  misfits: [],
  mentions: [],
  uses: [],
  changedQueries: [],
};

/** Finds the owner's code that uses what the schema has renamed, retyped or removed. */
export async function collectMisfits(
  { project, listProblems, newNames, needsNoLook }: OwnerCode,
  regeneration: Regeneration,
): Promise<SemanticReport> {
  if (needsNoLook) return noMisfits;
  const texts = plannedTexts(regeneration.plan);
  const own = listOwnerFiles(project, regeneration, texts);
  const mentions = await listMentions(own, listRemovedWords(project.app, regeneration.app));
  const uses = await listReusedNameUses(project, regeneration, own);
  const changedQueries = await listChangedQueries(own, project.app, regeneration.app);
  const look = await tryTypeCheck(async () => {
    refuseMissingPackages(project, texts);
    return listProblems(texts);
  });
  const isCompiled = 'found' in look;
  const problems = isCompiled
    ? look.found
    : await checkWithoutCompiler(project, regeneration, texts);
  const misfits = suggestNewNames(problems, newNames, readWith(project.disk, texts)).map((it) =>
    nameByMention(it, mentions),
  );
  const seen = new Set([...misfits, ...uses].map(printPlace));
  const others = mentions
    .filter((it) => !seen.has(printPlace(it)))
    // In code that compiles, the word may be any text.
    .map((it) => (it.isValue && !isCompiled ? { ...it, isBroken: true } : it));
  return {
    misfits,
    mentions: others,
    uses,
    changedQueries,
    ...(!isCompiled && look),
  };
}

/** What can be found without a compiler: imports and names that lead nowhere. */
async function checkWithoutCompiler(
  project: Project,
  regeneration: Regeneration,
  texts: Texts,
): Promise<readonly TypeProblem[]> {
  const { undeclaredUses } = await loadTypeScript();
  return [
    ...listBrokenImports(project, regeneration.plan, texts),
    ...listUndeclaredUses(regeneration, undeclaredUses),
  ];
}

/** Type problems in the owner's code as it is now, since the last run may have had no compiler. */
export async function checkAsItStands(
  project: Project,
  interruption: AbortSignal,
): Promise<SemanticReport> {
  const texts: Texts = new Map();
  const baseOf = readFormerBases(project);
  const nextTexts = new Map(
    Object.entries(project.record.files).flatMap(([path, recorded]) => {
      const base = isReadByCompiler(path) ? baseOf({ path, recorded }) : undefined;
      return base === undefined ? [] : [[path, base] as const];
    }),
  );
  const { trusted, isWhole } = findTrustedFiles(project, { nextTexts }, texts);
  if (isWhole) return noMisfits;
  const at = { folder: project.folder, trusted, interruption };
  const look = await tryTypeCheck(() => withTypeCheck(at, (check) => check(texts)));
  return 'found' in look ? { ...noMisfits, misfits: look.found } : { ...noMisfits, ...look };
}

function suggestNewNames(
  problems: readonly TypeProblem[],
  respell: OwnerCode['newNames'],
  read: ReadText,
): readonly Misfit[] {
  return problems.map((problem) => {
    const text = read(problem.path) ?? '';
    const renamed = namesAt(text.slice(offsetAt(text, problem)), problem.message)
      .map((from) => ({ from, to: renamedPath(from, respell) }))
      .find(({ from, to }) => to !== from);
    return renamed ? { ...problem, renamed } : problem;
  });
}

/** The compiler names no word for a list such as `.select(['id', 'title'])`: a mention on its line does. */
export function nameByMention(misfit: Misfit, mentions: readonly Mention[]): Misfit {
  const isBeside = (it: Mention) => printPlace(it) === printPlace(misfit);
  const { word, newName } = mentions.find((it) => isBeside(it) && it.newName !== undefined) ?? {};
  return misfit.renamed || word === undefined || newName === undefined
    ? misfit
    : { ...misfit, renamed: { from: word, to: newName } };
}

/** The word at the place of a problem, and columns like `'posts.title'` that follow in a query. */
function namesAt(text: string, message: string): readonly string[] {
  const quoted = [...message.matchAll(/['"]([\w$.]+)(?= as |['"])/g)].map(([, name = '']) => name);
  const [, word = ''] = /^['"`]?([\w$]+)/.exec(text) ?? [];
  return quoted.filter(
    (name) => name === word || (name.includes('.') && text.includes(`'${name}`)),
  );
}

/** A path with new names, if each of its words has exactly one. */
function renamedPath(path: string, respell: (word: string) => readonly string[]): string {
  const words = path.split('.').map((word) => ({ word, names: respell(word) }));
  const isClear = words.every(({ names }) => names.length < 2);
  return isClear ? words.map(({ word, names }) => names[0] ?? word).join('.') : path;
}

function refuseMissingPackages({ folder }: Project, texts: Texts): void {
  const wanted = Object.keys(readManifest(texts.get('package.json')).packages);
  const missing = wanted.filter((name) => findPackage(folder, name) === undefined);
  if (missing.length === 0) return;
  const are = missing.length === 1 ? 'is' : 'are';
  throw new NoTypeCheck(`${joinWithAnd(missing)} ${are} not installed in the project.`);
}

const printPlace = ({ path, line }: CodePlace) => `${path}:${line}`;

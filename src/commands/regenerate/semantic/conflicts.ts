import type { Project } from '../../../project/read-project.ts';
import type { Regeneration } from '../../../project/regeneration.ts';
import { findPackage } from '../../../system/find-package.ts';
import type { Texts } from '../../../system/mirror.ts';
import { NoTypeCheck, withTypeCheck, type TypeProblem } from '../../../system/type-check.ts';
import { findBrokenImports } from './broken-imports.ts';
import { mentionsInOwnCode } from './mentions-in-own-code.ts';
import type { Mention } from './mentions.ts';
import { offsetOf, plannedTexts, textAt } from './places.ts';
import { newNames } from './new-names.ts';
import { newProblemFinder } from './new-problem-finder.ts';
import { findOwnUses, type OwnUse } from './own-uses.ts';
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
    const conflicts = withNewNames(problems, { project, regeneration, texts });
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

interface Tree {
  readonly project: Project;
  readonly regeneration: Regeneration;
  readonly texts: Texts;
}

function withNewNames(
  problems: readonly TypeProblem[],
  { project, regeneration, texts }: Tree,
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

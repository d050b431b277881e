import { toUnixLines } from '../../../merge/line-endings.ts';
import { isCodeFile } from '../../../project/code-files.ts';
import type { Texts } from '../../../project/disk.ts';
import { gitIgnores } from '../../../project/list-code.ts';
import { newNames } from '../../../project/plan/spellings.ts';
import type { Project } from '../../../project/read-project.ts';
import type { Regeneration } from '../../../project/regeneration.ts';
import { type TypeCheck, withTypeCheck } from '../../../system/project-compiler.ts';
import { makeNewProblemFinder } from './new-problem-finder.ts';
import { listConflicted, plannedTexts, readSources } from './places.ts';
import { isReadByCompiler, findTrustedFiles } from './trusted-files.ts';

/** What the codemod and the report both need, so that they share one compiler. */
export interface OwnerCode {
  readonly project: Project;
  readonly listProblems: TypeCheck;
  readonly newNames: (word: string) => readonly string[];
  /** Whether there is nothing to compile. */
  readonly needsNoLook: boolean;
}

export async function withOwnerCode<T>(
  project: Project,
  regeneration: Regeneration,
  interruption: AbortSignal,
  work: (code: OwnerCode) => Promise<T>,
): Promise<T> {
  const texts = plannedTexts(regeneration.plan);
  const isTouched = [...texts.keys()].some(isReadByCompiler);
  const { trusted, isWhole: needsNoLook } = isTouched
    ? findTrustedFiles(project, regeneration, texts)
    : { trusted: new Set<string>(), isWhole: true };
  return withTypeCheck({ folder: project.folder, trusted, interruption }, (check) =>
    work({
      project,
      listProblems: makeNewProblemFinder(check, project, regeneration),
      newNames: newNames(project.app, regeneration),
      needsNoLook,
    }),
  );
}

export interface OwnText {
  readonly path: string;
  readonly text: string;
  /** What scaffold emits there, or emitted last if the file is the owner's now; empty if it is all theirs. */
  readonly rendered: string;
}

/** Code files with lines of the owner, without open conflicts and not ignored by git. */
export function listOwnerFiles(
  project: Project,
  { plan, nextTexts, baseOf }: Pick<Regeneration, 'plan' | 'nextTexts' | 'baseOf'>,
  texts: Texts,
): readonly OwnText[] {
  const open = listConflicted(plan);
  const isIgnored = gitIgnores(project.folder);
  const ejected = new Map(
    plan.changes.flatMap(({ path, action }) => {
      const recorded = project.record.files[path];
      return action === 'eject' && recorded ? [[path, recorded] as const] : [];
    }),
  );
  return [...readSources(project, texts)].flatMap(([path, text]) => {
    if (open.has(path) || !isCodeFile(path) || isIgnored(path)) return [];
    if (toUnixLines(text) === nextTexts.get(path)) return [];
    const recorded = ejected.get(path);
    const last = recorded && baseOf({ path, recorded });
    return [{ path, text, rendered: last ?? nextTexts.get(path) ?? '' }];
  });
}

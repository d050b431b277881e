import { newNames } from '../../../project/plan/spellings.ts';
import type { Project } from '../../../project/read-project.ts';
import type { Regeneration } from '../../../project/regeneration.ts';
import { type TypeCheck, withTypeCheck } from '../../../system/own-tools.ts';
import { newProblemFinder } from './new-problem-finder.ts';
import { plannedTexts } from './places.ts';
import { isReadByCompiler, trustedFiles } from './trusted-files.ts';

/** What the codemod and the report ask of the owner's code: one compiler answers both. */
export interface OwnerCode {
  readonly project: Project;
  readonly findProblems: TypeCheck;
  readonly newNames: (word: string) => readonly string[];
  /** Whether there is nothing for a compiler to look at. */
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
    ? trustedFiles(project, regeneration, texts)
    : { trusted: new Set<string>(), isWhole: true };
  return withTypeCheck({ folder: project.folder, trusted, interruption }, (check) =>
    work({
      project,
      findProblems: newProblemFinder(check, project, regeneration),
      newNames: newNames(project.app, regeneration),
      needsNoLook,
    }),
  );
}

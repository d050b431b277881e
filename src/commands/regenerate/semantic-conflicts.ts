import type { Project } from '../../project/read-project.ts';
import type { Regeneration } from '../../project/regeneration.ts';
import { findPackage } from '../../system/find-package.ts';
import { NoTypeCheck, withTypeCheck, type TypeProblem } from '../../system/type-check.ts';
import { needsTypeCheck } from './needs-type-check.ts';
import { packagesOf } from './packages-of.ts';
import { newProblemFinder } from './new-problem-finder.ts';
import { plannedTexts } from './planned-texts.ts';

export interface SemanticReport {
  /** Places that type-check now and will not, as their files will be. */
  readonly conflicts: readonly TypeProblem[];
  /** Why nobody looked; a sentence. */
  readonly unchecked?: string;
}

/** What no merge of texts can see: code of the owner's that uses what the schema has renamed, retyped or removed. */
export async function findSemanticConflicts(
  project: Project,
  regeneration: Regeneration,
  interruption: AbortSignal,
): Promise<SemanticReport> {
  const texts = plannedTexts(regeneration.plan);
  if (!needsTypeCheck(project, texts)) return { conflicts: [] };
  const missing = packagesOf(texts.get('package.json')).filter(
    (name) => findPackage(project.folder, name) === undefined,
  );
  if (missing.length > 0) {
    return { conflicts: [], unchecked: `It needs ${missing.join(', ')}: install first.` };
  }
  try {
    const at = { folder: project.folder, interruption };
    const conflicts = await withTypeCheck(at, (check) =>
      newProblemFinder(check, { project, regeneration })(texts),
    );
    return { conflicts };
  } catch (error) {
    if (error instanceof NoTypeCheck) return { conflicts: [], unchecked: error.message };
    throw error;
  }
}

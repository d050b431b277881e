import type { Change } from '../../project/plan.ts';
import type { Project } from '../../project/read-project.ts';
import type { Regeneration } from '../../project/regeneration.ts';
import type { SemanticReport } from './semantic/conflicts.ts';

/** What a run came to. */
export interface RunResult {
  readonly project: Project;
  readonly regeneration: Regeneration;
  readonly semantic: SemanticReport;
  /** The owner's code where the codemod wrote new names, before and after. */
  readonly renamed?: readonly Change[];
  /** The project has a layout of its own, and what was written does not have it yet. */
  readonly isUnformatted?: boolean;
  /** `refused`: there are conflicts, and `--on-conflict fail` was given. */
  readonly state: 'written' | 'looked' | 'refused';
}

import type { Plan } from './plan.ts';
import type { Project } from './read-project.ts';

export type Side = 'ours' | 'theirs' | 'edited';

/**
 * What settles the open conflicts of these files (all of them when none is named) one way. Only here does the base of
 * a file in conflict move. Throws a `UserError`: no conflict is open there (SCF516), markers are left (SCF507).
 */
export async function settle(
  _project: Project,
  _paths: readonly string[],
  _side: Side,
): Promise<Plan> {
  throw new Error('to come');
}

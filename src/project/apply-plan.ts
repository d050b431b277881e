import type { Plan } from './plan.ts';

/**
 * Writes a plan, whole or not at all; under the run lock. Throws a `UserError` when a file was changed meanwhile.
 * What was there is kept for `--undo`.
 */
export async function applyPlan(_folder: string, _plan: Plan): Promise<void> {
  throw new Error('to come');
}

import type { Plan } from './plan.ts';

/** What takes the last run back. Throws: nothing to undo (SCF510), a file was edited since (SCF511, naming it). */
export async function planUndo(_folder: string): Promise<Plan> {
  throw new Error('to come');
}

/** As `applyPlan`, and there is nothing left to undo. */
export async function applyUndo(_folder: string, _plan: Plan): Promise<void> {
  throw new Error('to come');
}

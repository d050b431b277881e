import type { Change, Plan } from '../../../project/plan.ts';

/** What the codemod did beside the plan that it was given: the owner's own code, before and after. */
export function renamedUses(planned: Plan, fixed: Plan): readonly Change[] {
  const before = new Map(planned.changes.map(({ path, after }) => [path, after]));
  return fixed.changes.flatMap((change) => {
    const text = before.has(change.path) ? before.get(change.path) : change.before;
    const { from: _, ...inPlace } = change;
    return text === undefined || text === change.after ? [] : [{ ...inPlace, before: text }];
  });
}

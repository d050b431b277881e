import { acceptanceKey } from '../../evolve/hazards/hazard.ts';
import { deletionKey } from '../../project/moved/doubt.ts';
import type { Regeneration } from '../../project/regeneration.ts';
import type { Diagnostic } from '../../terminal/report.ts';
import type { RegenerateRequest } from './request.ts';

/** What was agreed to and is not in question: most likely a slip of the pen. */
export function vainAcceptances(
  { accept = [], only = [] }: RegenerateRequest,
  { hazards, plan }: Pick<Regeneration, 'hazards' | 'plan'>,
): Diagnostic[] {
  if (only.length > 0) return [];
  const deleted = plan.changes.filter(({ action }) => action === 'skip');
  const asked = new Set([
    ...hazards.map(acceptanceKey),
    ...deleted.map(({ path }) => deletionKey({ path })),
  ]);
  return accept
    .filter((key) => !asked.has(key))
    .map((key) => ({
      code: 'SCF516',
      severity: 'warning',
      message: `\`--accept ${key}\` agrees to nothing that this run would do.`,
    }));
}

import { acceptanceKey } from '../../evolve/hazards/hazard.ts';
import type { Regeneration } from '../../project/regeneration.ts';
import type { Diagnostic } from '../../terminal/report.ts';
import type { RegenerateRequest } from './request.ts';

/** What was agreed to and is not in question: most likely a slip of the pen. */
export function vainAcceptances(
  { accept = [], only = [] }: RegenerateRequest,
  { hazards }: Pick<Regeneration, 'hazards'>,
): Diagnostic[] {
  if (only.length > 0) return [];
  const asked = new Set(hazards.map(acceptanceKey));
  return accept
    .filter((key) => !asked.has(key))
    .map((key) => ({
      code: 'SCF516',
      severity: 'warning',
      message: `\`--accept ${key}\` agrees to nothing that this run would do.`,
    }));
}

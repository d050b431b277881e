import type { Ambiguity } from '../evolve/changes/candidates.ts';
import type { Hazard } from '../evolve/hazards/hazard.ts';

/** What only a person knows. */
export interface Questions {
  readonly ambiguities: readonly Ambiguity[];
  /** Files of which nobody can tell whether they were moved or deleted. */
  readonly doubts: readonly Doubt[];
  /** Losses and risks that nobody has agreed to. */
  readonly unaccepted: readonly Hazard[];
}

/** A file that is not where it was recorded, while others have what it gave to those who import it. */
export interface Doubt {
  readonly path: string;
  /** Files that have most of it: it may have moved to one of them. */
  readonly candidates: readonly string[];
  /** All files that have some of it. */
  readonly places: readonly string[];
}

/** Nothing is planned while it is. */
export function hasOpenQuestions({ ambiguities, doubts, unaccepted }: Questions): boolean {
  return ambiguities.length + doubts.length + unaccepted.length > 0;
}

/** What `--accept` takes when it was deleted, and what stands elsewhere is the owner's. */
export function deletionKey({ path }: Pick<Doubt, 'path'>): string {
  return `SCF517:${path}`;
}

import type { Ambiguity } from '../evolve/changes/candidates.ts';
import type { Hazard } from '../evolve/hazards/hazard.ts';

/** Questions that only a person can answer. */
export interface Questions {
  readonly ambiguities: readonly Ambiguity[];
  /** Files that may have been moved or deleted. */
  readonly doubts: readonly Doubt[];
  /** Losses and risks that nobody has agreed to. */
  readonly unaccepted: readonly Hazard[];
}

/** A missing file whose exports are now in others. */
export interface Doubt {
  readonly path: string;
  /** Files with most of its exports, to which it may have been moved. */
  readonly candidates: readonly string[];
  /** All files with some of its exports. */
  readonly places: readonly string[];
}

/** Nothing is planned while it is. */
export function hasOpenQuestions({ ambiguities, doubts, unaccepted }: Questions): boolean {
  return ambiguities.length + doubts.length + unaccepted.length > 0;
}

/** What `--accept` takes if it was deleted and the exports elsewhere are the owner's. */
export function deletionKey({ path }: Pick<Doubt, 'path'>): string {
  return `SCF517:${path}`;
}

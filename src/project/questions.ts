import type { Ambiguity } from '../evolve/changes/candidates.ts';
import type { Hazard } from '../evolve/hazards/hazard.ts';

/** Questions that only a person can answer. */
export interface Questions {
  readonly ambiguities: readonly Ambiguity[];
  /** Files that may have been moved or deleted. */
  readonly doubts: readonly Doubt[];
  /** Hazards that nobody has accepted. */
  readonly unaccepted: readonly Hazard[];
}

/** A missing file whose exports are in other files now. */
export interface Doubt {
  readonly path: string;
  /** Files with most of its exports, to which it may have been moved. */
  readonly candidates: readonly string[];
  /** All files with some of its exports. */
  readonly paths: readonly string[];
}

/** A run with open questions plans nothing. */
export function hasOpenQuestions({ ambiguities, doubts, unaccepted }: Questions): boolean {
  return ambiguities.length + doubts.length + unaccepted.length > 0;
}

/** The value of `--accept` that says that the file was deleted. */
export function deletionKey({ path }: Pick<Doubt, 'path'>): string {
  return `SCF517:${path}`;
}

/** A file that is not where it was recorded, while others have what it gave to those who import it. */
export interface Doubt {
  readonly path: string;
  /** Files that have most of it: it may have moved to one of them. */
  readonly candidates: readonly string[];
  /** All that have some of it. */
  readonly places: readonly string[];
}

/** What `--accept` takes when it was deleted, and what stands elsewhere is the owner's. */
export function deletionKey({ path }: Pick<Doubt, 'path'>): string {
  return `SCF517:${path}`;
}

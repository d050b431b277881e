/**
 * Where the content of templates that are gone has gone, by the version that came without them: the template's path
 * below its root → the paths of those that have it now; none when nothing took its place. A path that ends in `/` speaks
 * for a folder. What its owner edited in such a file follows it there, or is shown as a conflict that names the place.
 * `test/regenerate/upgrade.test.ts` names every template that is missing here.
 */
export type Successors = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export const successors: Successors = {
  '0.2.0': {},
};

export interface Succession {
  /** The version that came without the template. */
  readonly since: string;
  /** Paths of templates that are there. */
  readonly now: readonly string[];
}

/** Undefined when nobody has written down where it went; a successor that has gone too is followed. */
export function findSuccession(
  source: string,
  isMade: (source: string) => boolean,
  table: Successors = successors,
): Succession | undefined {
  for (const [since, rows] of Object.entries(table)) {
    const row = rows[source] ?? rows[folderOf(source, rows) ?? ''];
    if (row === undefined) continue;
    const now = row.flatMap((it) =>
      isMade(it) || it === source ? it : (findSuccession(it, isMade, table)?.now ?? []),
    );
    return { since, now: [...new Set(now)] };
  }
  return undefined;
}

/** The longest that holds it. */
function folderOf(source: string, rows: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(rows)
    .filter((path) => path.endsWith('/') && source.startsWith(path))
    .toSorted((left, right) => right.length - left.length)[0];
}

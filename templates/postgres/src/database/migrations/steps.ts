/** A part of a migration. */
export interface Step {
  readonly way: Way;
  readonly sql: string;
}

/** How a step is run, as the line says that begins it. */
export type Way =
  | { readonly kind: 'transaction' }
  /** Statements that cannot be in a transaction. */
  | { readonly kind: 'alone' }
  /** An UPDATE of the rows with ids from `$1` to `$2`, or of all rows; triggers of the owner do not hear of it. */
  | { readonly kind: 'batches' | 'update'; readonly table: string };

/** What stands before the first step belongs to it; SQL without steps is one transaction. */
export function readSteps(sql: string): readonly Step[] {
  return sql
    .split(/^(?=-- step (?!1 )\d+ of \d+: )/m)
    .map((text) => ({ way: readWay(/^-- step \d+ of \d+: (.*)/m.exec(text)?.[1]), sql: text }));
}

function readWay(words = ''): Way {
  if (words.startsWith('outside of a transaction')) return { kind: 'alone' };
  const [, way, table] = /^(in batches of|at once for) (.+?)\s*$/.exec(words) ?? [];
  if (table === undefined) return { kind: 'transaction' };
  return { kind: way === 'at once for' ? 'update' : 'batches', table };
}

/** What a database is made of: `column posts.title` → `text NOT NULL`. */
export type SchemaFacts = ReadonlyMap<string, string>;

export interface Difference {
  readonly kind: 'missing' | 'different' | 'extra';
  /** `column posts.title` */
  readonly object: string;
  readonly expected?: string;
  readonly found?: string;
}

/** In the order of the objects' names; what stands on a table that the schema does not know goes without saying. */
export function compareSchemas(expected: SchemaFacts, found: SchemaFacts): readonly Difference[] {
  const isOwn = (name: string) => found.has(`table ${name}`) && !expected.has(`table ${name}`);
  const objects = [...new Set([...expected.keys(), ...found.keys()])].toSorted();
  return objects.flatMap((object): readonly Difference[] => {
    const [, table = ''] = /^(?!table|index)[a-z ]+ (.+?)(?:[.:]|$)/.exec(object) ?? [];
    if (isOwn(table)) return [];
    const [was, is] = [expected.get(object), found.get(object)];
    if (was === is) return [];
    if (is === undefined) return [{ kind: 'missing', object, ...(was && { expected: was }) }];
    if (was === undefined) return [{ kind: 'extra', object, ...(is && { found: is }) }];
    return [{ kind: 'different', object, expected: was, found: is }];
  });
}

/** What the owner has added is theirs; what is missing or different is not what the code expects. */
export function isDrift({ kind }: Difference): boolean {
  return kind !== 'extra';
}

/** A line for each difference, and one for all that the owner has added. */
export function describeDrift(differences: readonly Difference[]): readonly string[] {
  const own = differences.filter((difference) => !isDrift(difference)).map(({ object }) => object);
  return [
    ...differences.filter(isDrift).map(describeDifference),
    ...(own.length > 0 ? [`Yours, beside migrations/schema.sql: ${own.join(', ')}.`] : []),
  ];
}

function describeDifference({ kind, object, expected, found }: Difference): string {
  if (kind === 'missing') return `The ${object} is missing${expected ? `: ${expected}` : ''}.`;
  return `The ${object} is \`${found}\` and not \`${expected}\`.`;
}

/** Throws when the database is not what the code expects. */
export function refuseDrift(differences: readonly Difference[]): void {
  const drift = differences.filter(isDrift).map(describeDifference);
  if (drift.length === 0) return;
  throw new Error(
    [
      'The database would not be what migrations/schema.sql says:',
      ...drift.map((line) => `  ${line}`),
      'If the SQL was edited, correct it; if the database was changed by hand, take that change back there.',
    ].join('\n'),
  );
}

import type { Hazard } from './read.ts';
import { MigrationError, type RowCheck } from './history.ts';

export interface FoundRows extends RowCheck {
  readonly rows: number;
}

interface Checked {
  readonly id: string;
  /** None when it is taken back. */
  readonly adds: readonly unknown[];
  /** Whether it stands for migrations of another branch, too: such a one is not made again. */
  readonly isJoint: boolean;
}

/** What to report of the rows that the checks of a migration have found; throws when they stop it. */
export function reportRows(
  { id, adds, isJoint }: Checked,
  checks: readonly FoundRows[],
): readonly string[] {
  const found = checks.filter(({ rows }) => rows > 0);
  const stopping = found.filter(({ stops }) => stops);
  if (stopping.length === 0) return found.map((check) => `${id}: ${describeRows(check)}`);
  if (adds.length === 0) {
    throw new MigrationError(
      [
        `${id} cannot be taken back without a loss; nothing was changed:`,
        ...stopping.map((check) => `  ${describeRows(check)}`),
        `Change those rows; or write into migrations/${id}/down.sql what becomes of them: SQL that you have edited is not stopped.`,
      ].join('\n'),
    );
  }
  throw new MigrationError(
    [
      `Migration ${id} cannot be applied to the rows that there are; nothing was changed:`,
      ...stopping.map((check) => `  ${describeRows(check)}`),
      `Change those rows; ${!isJoint && stopping.some(isFilled) ? filling : ''}or write into migrations/${id}/up.sql what becomes of them: SQL that you have edited is not stopped.`,
    ].join('\n'),
  );
}

const filling = 'or give the field a `backfill` in schema.yaml and run `scaffold regenerate`; ';

/** Rows that are alike, or point nowhere, are not helped by one value for all of them. */
function isFilled({ code }: Hazard): boolean {
  return code !== 'SCF423' && code !== 'SCF425';
}

export function describeRows({ code, target, message, rows }: FoundRows): string {
  return `${code} ${target}, ${rows === 1 ? '1 row' : `${rows} rows`}: ${message}`;
}

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
    if (was !== undefined && is !== undefined && inOrder(was) === inOrder(is)) return [];
    if (was !== undefined && is !== undefined && isTheirDefault(was, is)) {
      const own = object.replace('column ', 'default of ');
      return [{ kind: 'extra', object: own, found: is.slice(was.length + 1) }];
    }
    if (is === undefined) return [{ kind: 'missing', object, ...(was && { expected: was }) }];
    if (was === undefined) return [{ kind: 'extra', object, ...(is && { found: is }) }];
    return [{ kind: 'different', object, expected: was, found: is }];
  });
}

/** Whether a column differs by what rows of another program get there: the server leaves no required one out. */
export function isTheirDefault(expected: string, found: string): boolean {
  return expected.endsWith(' not null') && found.startsWith(`${expected} default `);
}

const listedTexts = /'(?:[^']|'')*'(?:::text)?(?:, '(?:[^']|'')*'(?:::text)?)+/g;

/** The values of an enum are the same rule in whatever order they are listed. */
function inOrder(definition: string): string {
  return definition.replace(listedTexts, (texts) =>
    (texts.match(/'(?:[^']|'')*'/g) ?? []).toSorted().join(', '),
  );
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

export function describeDifference({ kind, object, expected, found }: Difference): string {
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

import type { Explanation } from '../../schema/problem.ts';

/** What a change may do to data, to running code or to a busy database. */
export interface Hazard {
  readonly code: HazardCode;
  readonly kind: HazardKind;
  /** `Post.title` */
  readonly target: string;
  /** Sentences for the person who decides. */
  readonly message: string;
  /** Counts the rows concerned, in the database as it is before the migration. */
  readonly count?: string;
  /** Whether the migration cannot be applied while that count is above zero. */
  readonly stops: boolean;
}

type HazardKind = 'destructive' | 'data' | 'locks' | 'breaks';
type HazardCode = keyof typeof kinds;

/** A code never changes its meaning. */
const kinds = {
  /** A table with its rows, a column with its values. */
  SCF411: 'destructive',
  SCF412: 'destructive',
  /** A part of each value; values that have no place; a value of an enum; ids. */
  SCF413: 'destructive',
  SCF414: 'destructive',
  SCF415: 'destructive',
  SCF416: 'destructive',
  /** Whether it can be done depends on the rows: a required field, unique values, values to convert, keys. */
  SCF421: 'data',
  SCF422: 'data',
  SCF423: 'data',
  SCF424: 'data',
  SCF425: 'data',
  /** The table is rewritten while everybody waits. */
  SCF431: 'locks',
  /** Code for the old schema fails from then on. */
  SCF441: 'breaks',
} as const satisfies Readonly<Record<string, HazardKind>>;

/** A hazard of a change whose target is known. */
export type Draft = Omit<Hazard, 'target'>;

export function hazard(
  code: HazardCode,
  message: string,
  rows: { readonly count?: string; readonly stops?: true } = {},
): Draft {
  return { code, kind: kinds[code], message, stops: false, ...rows };
}

export const breaksOldCode = hazard(
  'SCF441',
  'Servers that still run the old code fail once this is applied.',
);

/** What `--accept` takes: `SCF412:Post.title`. */
export function acceptanceKey({ code, target }: Hazard): string {
  return `${code}:${target}`;
}

/** That old code has to be stopped is reported; the rest has to be agreed to. */
export function needsAcceptance({ kind }: Hazard): boolean {
  return kind !== 'breaks';
}

/** What each hazard of a migration means, what is counted before it is applied, and what lets it through. */
export const hazardCodes: Readonly<Record<HazardCode, Explanation>> = {
  SCF411: {
    title: 'A table is dropped',
    explanation:
      'A model, or a many-to-many relation, is no longer in the schema: its table is dropped with all rows. `db:migrate` says how many there are, and keeps a copy of a SQLite file. If the model was only renamed, say so: its rows stay.',
    bad: 'scaffold regenerate                       # `Draft` is gone from schema.yaml',
    good: 'scaffold regenerate --rename Draft=Note   # it is now called `Note`\nscaffold regenerate --accept SCF411:Draft # its rows may go',
  },
  SCF412: {
    title: 'The values of a field are deleted',
    explanation:
      'A field or a relation is no longer in the schema: its column is dropped. Rows that have a value there are counted. Once `soft_delete` is gone, rows that were deleted softly show up again.',
    bad: 'scaffold regenerate                            # `title` is gone from `Post`',
    good: 'scaffold regenerate --rename Post.title=heading # it is now called `heading`\nscaffold regenerate --accept SCF412:Post.title  # its values may go',
  },
  SCF413: {
    title: 'Values lose a part',
    explanation:
      'The new type holds less than the old one: decimals are rounded, a time of day is cut from a datetime. Rows of which something is lost are counted.',
    bad: 'scaffold regenerate                            # `price` was decimal(8,3) and becomes decimal(8,2)',
    good: 'scaffold regenerate --accept SCF413:Post.price # the third digit may go',
  },
  SCF414: {
    title: 'Values that are no longer allowed are replaced',
    explanation:
      'The field has different bounds or a different type, and a `backfill`: values that do not fit become that. The rows concerned are counted.',
    bad: 'scaffold regenerate                            # `stars` was int and becomes int(0..5), with `backfill: 5`',
    good: 'scaffold regenerate --accept SCF414:Post.stars # what is above 5 becomes 5',
  },
  SCF415: {
    title: 'A value of an enum is dropped',
    explanation:
      'Rows that hold the value are counted. With a `backfill` they get that; without one, the migration stops while there are any. `scaffold regenerate` adds a later `backfill` to the migration. If the value was only renamed, say so with `was` or `--rename`.',
    bad: 'enums: { Status: [live] }      # `old` is gone\nmodels:\n  Post:\n    fields: { status: Status }',
    good: 'enums: { Status: [live] }\nmodels:\n  Post:\n    fields:\n      status: { type: Status, backfill: live }\n# and: scaffold regenerate --accept SCF415:Status.old',
  },
  SCF416: {
    title: 'Every row gets a new id',
    explanation:
      'The ids of a model change from numbers to uuids, or back. Keys and links in this database follow; what others have stored (addresses, other systems) does not. All rows are counted.',
    bad: 'scaffold regenerate                      # `Post` has `id: uuid` now',
    good: 'scaffold regenerate --accept SCF416:Post # nobody else has kept an id',
  },
  SCF421: {
    title: 'A required field is added, and rows have no value for it',
    explanation:
      'All rows of the table are counted; the migration stops while there are any. A `backfill` or a default is what they get. `scaffold regenerate` adds one that you write later to the migration. A relation takes the id of a row that every database has as its `backfill`; where there is none, make it optional, fill it in, and require it then.',
    bad: 'models:\n  Post:\n    fields: { stars: int }\n    relations: { author: User }',
    good: 'models:\n  Post:\n    fields:\n      stars: { type: int, backfill: 0 }\n    relations:\n      author: { to: User, backfill: 1 }\n# or, for an empty table: scaffold regenerate --accept SCF421:Post.stars',
  },
  SCF422: {
    title: 'A field becomes required, and rows have no value for it',
    explanation:
      'Rows without a value are counted; the migration stops while there are any. A `backfill` is what they get. `scaffold regenerate` adds one that you write later to the migration.',
    bad: 'models:\n  Post:\n    fields: { stars: int }                 # was int?',
    good: 'models:\n  Post:\n    fields: { stars: { type: int, backfill: 0 } }\n# or, when every row has a value: scaffold regenerate --accept SCF422:Post.stars',
  },
  SCF423: {
    title: 'Values become unique',
    explanation:
      'Rows that have the same values as another are counted; the migration stops while there are any. Rows that were deleted softly do not count.',
    bad: 'scaffold regenerate                           # `slug` is unique now',
    good: 'scaffold regenerate --accept SCF423:Post.slug # no two rows are alike',
  },
  SCF424: {
    title: 'Values may no longer be allowed',
    explanation:
      'The field has different bounds or a different type, and no `backfill`. Values that do not fit are counted; the migration stops while there are any. A `backfill` is what they become. `scaffold regenerate` adds one that you write later to the migration.',
    bad: 'models:\n  Post:\n    fields: { stars: int(0..5) }           # was int',
    good: 'models:\n  Post:\n    fields: { stars: { type: int(0..5), backfill: 5 } }\n# or, when all values fit: scaffold regenerate --accept SCF424:Post.stars',
  },
  SCF425: {
    title: 'Keys may lead nowhere',
    explanation:
      'A number becomes a key to another table, or rows get the `backfill` of a relation. Rows whose target does not exist are counted; the migration stops while there are any.',
    bad: 'scaffold regenerate                             # `author` has `backfill: 1`',
    good: 'scaffold regenerate --accept SCF425:Post.author # every database has that user',
  },
  SCF431: {
    title: 'A table is locked while it is rewritten',
    explanation:
      'PostgreSQL rewrites every row of the table, and nobody can read it meanwhile: a few seconds for a million rows. All rows are counted. On a busy table, add a second field, fill it in, and drop the first one later.',
    bad: 'scaffold regenerate                      # `Post.views` was int and becomes bigint',
    good: 'scaffold regenerate --accept SCF431:Post # the table is small, or the hour is quiet',
  },
  SCF441: {
    title: 'Code for the old schema fails',
    explanation:
      'Servers that still run the old code use what is gone or has a new name, type or id, write what is no longer allowed, or leave out what is now required. Nothing has to be accepted: stop them before the migration is applied, or take two steps (add, move the code over, drop).',
    bad: 'npm run db:migrate             # while old servers are running',
    good: 'npm run db:migrate             # when they have been stopped',
  },
};

import { present } from '../../present.ts';
import { type App, type Default, type Field, isPassword } from '../../model/app.ts';
import type { Sql } from '../../types/field-type.ts';
import { type Dialect, storageOf } from '../dialect.ts';
import type { Pair } from '../pairs.ts';
import type { Column } from './table.ts';

/** The origin of a column's values when the table has rows. Each function takes the SQL of the old column. */
export interface ColumnSource {
  readonly after: Column;
  /** Absent for a new column. */
  readonly before?: Column;
  readonly value: Sql;
  /** `value` for a column of an enum's type, as a text, before the type has changed. */
  readonly asked?: Sql;
  /** Whether values stay the same. */
  readonly isCopied: boolean;
  /** New names of values by the former ones, as SQL, if values are only renamed: distinct values stay distinct. */
  readonly renamed?: ReadonlyMap<string, string>;
  /** SQL that is true for a value that the new column cannot hold. */
  readonly misfitSql?: Sql;
  /** SQL that is true for a value that is cut or rounded. */
  readonly lossSql?: Sql;
  /** Replaces values that are missing or do not fit. */
  readonly fill?: string;
  /** Set when the database makes the value, so that nobody can tell later what it was. */
  readonly made?: Exclude<Default['kind'], 'literal'>;
  /** Whether NULL alone becomes another value: the `fill`. */
  readonly isOnlyFilled?: true;
  /** Whether repeating the conversion would change the values again. */
  readonly isOneTime?: true;
  /** Whether these are ids that change: a table maps old to new ones until all keys have followed. */
  readonly isRekeyed?: true;
}

export interface EngineApps {
  readonly apps: Pair<App>;
  readonly dialect: Dialect;
}

/** Not a hash, so no password matches it. */
const noPassword = "'!'";

/** A new column holds its backfill or default; a required one without either can be added to an empty table only. */
export function newColumnSource(after: Column, { dialect }: EngineApps): ColumnSource {
  const { type, default: initial } = after.field;
  const constant = isPassword(after.field)
    ? noPassword
    : (backfillSql(after.field, dialect) ?? after.default);
  const isMade = constant === undefined && initial !== undefined && initial.kind !== 'literal';
  const fill = isMade ? storageOf(type, dialect).made : constant;
  return {
    after,
    value: () => fill ?? 'NULL',
    isCopied: false,
    ...present({ fill, made: isMade && fill !== undefined ? initial.kind : undefined }),
  };
}

/** The columns that were there before. */
export function keptColumns(columns: readonly ColumnSource[]): readonly Pair<Column>[] {
  return columns.flatMap(({ before, after }) => (before === undefined ? [] : [{ before, after }]));
}

export function backfillSql({ type, backfill }: Field, dialect: Dialect): string | undefined {
  return backfill === undefined ? undefined : storageOf(type, dialect).literal(backfill);
}

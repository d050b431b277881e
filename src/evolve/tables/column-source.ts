import type { App, Field } from '../../model/app.ts';
import type { Sql } from '../../types/field-type.ts';
import { type Dialect, storageOf } from '../dialect.ts';
import type { Pair } from '../pairs.ts';
import type { Column } from './table.ts';

/** Where the values of a column come from when the table has rows. Each function takes the SQL of the old column. */
export interface ColumnSource {
  readonly after: Column;
  /** Absent for a new column. */
  readonly before?: Column;
  readonly value: Sql;
  /** Whether values stay what they were. */
  readonly isCopied: boolean;
  /** Holds for a value that has no place in the new column. */
  readonly misfits?: Sql;
  /** Holds for a value of which something is lost. */
  readonly loses?: Sql;
  /** Stands for values that are missing or have no place. */
  readonly fill?: string;
  /** Whether the database thinks of it: what it was cannot be said later. */
  readonly isGenerated?: true;
  /** Whether every row is filled with a value of its own. */
  readonly isDrawn?: true;
  /** Whether a second time would make something else of the values. */
  readonly isOnce?: true;
  /** The table whose ids these are, when they become others. */
  readonly rekeyed?: string;
}

export interface World {
  readonly apps: Pair<App>;
  readonly dialect: Dialect;
}

/** A new column holds its backfill or default; a required one without either can be added to an empty table only. */
export function newColumnSource(after: Column, { dialect }: World): ColumnSource {
  const constant = backfillSql(after.field, dialect) ?? after.default;
  const generated = constant === undefined ? generatedSql(after, dialect) : undefined;
  const fill = constant ?? generated;
  return {
    after,
    value: () => fill ?? 'NULL',
    isCopied: false,
    ...(fill === undefined ? {} : { fill }),
    ...(generated === undefined ? {} : { isGenerated: true }),
    ...(generated !== undefined && after.field.default?.kind === 'uuid' ? { isDrawn: true } : {}),
  };
}

/** The id's kind changes: what each old id has become is kept in a table until all keys have followed. */
export function rekeyedColumnSource(
  pair: Pair<Column>,
  table: string,
  { dialect }: World,
): ColumnSource {
  return {
    ...pair,
    value: (old) => dialect.newId(table, old),
    isCopied: false,
    rekeyed: table,
  };
}

/** The columns that were there before. */
export function keptColumns(columns: readonly ColumnSource[]): readonly Pair<Column>[] {
  return columns.flatMap(({ before, after }) => (before === undefined ? [] : [{ before, after }]));
}

export function backfillSql({ type, backfill }: Field, dialect: Dialect): string | undefined {
  return backfill === undefined ? undefined : storageOf(type, dialect).literal(backfill);
}

function generatedSql({ field }: Column, dialect: Dialect): string | undefined {
  if (field.default === undefined || field.default.kind === 'literal') return undefined;
  return storageOf(field.type, dialect).made;
}

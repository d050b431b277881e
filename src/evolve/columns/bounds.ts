import { present } from '../../schema/present.ts';
import { fieldTypes } from '../../types/all.ts';
import type { Bounds, ColumnFacts } from '../dialect.ts';
import { ruleSql } from '../tables/checks.ts';
import type { World } from './column-source.ts';
import { identifierSql } from '../sql/sql-text.ts';
import type { Column } from '../tables/table.ts';

/** The bounds that are written, and for the rest those of the type itself where its columns hold more. */
export function everyBound({ type, min, max }: ColumnFacts): Bounds {
  const limits = fieldTypes[type.kind].limits?.(type);
  const widest = limits?.isColumn ? undefined : limits;
  return present({ min: min ?? widest?.min, max: max ?? widest?.max });
}

/** Whether the check of a column says what it said, whatever it is called: its name may have stayed behind. */
export function isSameRule(before: Column, after: Column, { apps, dialect }: World): boolean {
  const column = identifierSql(after.name);
  return (
    ruleSql(before.field, apps.before, dialect)(column) ===
    ruleSql(after.field, apps.after, dialect)(column)
  );
}

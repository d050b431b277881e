import { ruleSql } from '../tables/checks.ts';
import type { World } from './column-source.ts';
import { identifierSql } from '../sql/sql-text.ts';
import type { Column } from '../tables/table.ts';

/** Whether the check of a column says what it said, whatever it is called: its name may have stayed behind. */
export function isSameRule(before: Column, after: Column, { apps, dialect }: World): boolean {
  const column = identifierSql(after.name);
  return (
    ruleSql(before.field, apps.before, dialect)(column) ===
    ruleSql(after.field, apps.after, dialect)(column)
  );
}

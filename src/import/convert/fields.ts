import type { DraftField } from '../draft.ts';
import type { FoundColumn } from '../catalogue.ts';
import type { ColumnScope } from './column-types.ts';
import { defaultOf } from './defaults.ts';
import { postgresType } from './postgres-type.ts';
import { sqliteType } from './sqlite-type.ts';

/** A column as a field, with its losses; undefined for one that no type here holds. */
export function fieldOf(
  column: FoundColumn,
  scope: ColumnScope,
): { readonly field: DraftField; readonly lost: readonly string[] } | undefined {
  const isOfPostgres = scope.table.isStrict === undefined;
  const found = isOfPostgres ? postgresType(column, scope) : sqliteType(column, scope);
  if (found === undefined) return undefined;
  const initial = defaultOf(column, found);
  const lost = [
    found.lost,
    initial.lost,
    column.lost,
    column.isGenerated ? 'it is no longer computed' : undefined,
    column.isCaseless ? 'it becomes case-sensitive' : undefined,
  ];
  const { type, min, max } = found;
  const said = { type, min, max, optional: column.nullable, default: initial.value };
  return {
    field: { ...said, flags: [], description: column.comment },
    lost: lost.filter((it) => it !== undefined),
  };
}

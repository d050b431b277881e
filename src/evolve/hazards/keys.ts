import { storageOf } from '../dialect.ts';
import type { ChangeOf, Place } from '../changes/change.ts';
import { rekeyedId } from '../columns/column-source.ts';
import { countRows, keptTable } from './counts.ts';
import type { Evolution, KeptTable } from '../evolution.ts';
import { type Draft, hazard } from './hazard.ts';
import { identifierSql } from '../sql/sql-text.ts';
import { type ForeignKey, keyOn } from '../tables/table.ts';

export function addKey(
  { target, before, after }: ChangeOf<'add_key'>,
  evolution: Evolution,
): readonly Draft[] {
  const column = identifierSql(before.field.column);
  const goal = formerTarget(foreignKeyOf(after, evolution), evolution);
  const orphans =
    goal === undefined
      ? `${column} IS NOT NULL`
      : `${column} IS NOT NULL AND ${column} NOT IN (SELECT id FROM ${identifierSql(goal.before.name)})`;
  return [
    hazard('SCF425', `Rows whose \`${target}\` is not there have to be changed first.`, {
      count: countRows(before.model.table, orphans),
      stops: true,
    }),
  ];
}

interface Rows {
  readonly table: string;
  readonly condition?: string;
  readonly evolution: Evolution;
}

/** Rows that would get a key to a row that is not there. */
export function missingTarget(place: Place, { table, condition, evolution }: Rows) {
  const { role, backfill } = place.field;
  const key = foreignKeyOf(place, evolution);
  if (role !== 'key' || backfill === undefined || key === undefined) return [];
  const id = storageOf(place.field.type, evolution.dialect).literal(backfill);
  const goal = formerTarget(key, evolution);
  const isMissing =
    goal === undefined
      ? []
      : [`NOT EXISTS (SELECT 1 FROM ${identifierSql(goal.before.name)} WHERE id = ${id})`];
  const conditions = [...(condition === undefined ? [] : [condition]), ...isMissing];
  const where = conditions.length === 0 ? undefined : conditions.join(' AND ');
  return [
    hazard('SCF425', `Existing rows get the key ${id}: \`${key.table}\` has to have that row.`, {
      count: countRows(table, where),
      stops: true,
    }),
  ];
}

function foreignKeyOf({ model, field }: Place, evolution: Evolution): ForeignKey | undefined {
  const table = keptTable(evolution, model)?.after;
  return table && keyOn(table, field.column);
}

/** Undefined when no row can have the new key yet: the table is new, or its ids are to be others. */
function formerTarget(key: ForeignKey | undefined, { kept }: Evolution): KeptTable | undefined {
  return kept.find(
    ({ after, columns }) => after.id === key?.target && rekeyedId(columns) === undefined,
  );
}

import type { App, Field } from '../../model/app.ts';
import { enumOf, valuesOf } from '../../model/values.ts';
import { backfillSql, type ColumnSource, type World } from './column-source.ts';
import type { Pair } from '../pairs.ts';
import { textSql } from '../../types/sql.ts';
import type { Column } from '../tables/table.ts';

export function isSameEnum({ before, after }: Pair<Field>, apps: Pair<App>): boolean {
  const former = enumOf(before, apps.before);
  return former !== undefined && former.id === enumOf(after, apps.after)?.id;
}

/** Values that were renamed follow; those that are gone become the backfill, where there is one. */
export function enumColumnSource({ before, after }: Pair<Column>, world: World): ColumnSource {
  const former = valuesOf(before.field, world.apps.before);
  const present = new Map(
    valuesOf(after.field, world.apps.after).map(({ id, value }) => [id, value]),
  );
  const gone = former.filter(({ id }) => !present.has(id)).map(({ value }) => textSql(value));
  const isRequired = before.nullable && !after.nullable;
  const fill = gone.length > 0 || isRequired ? backfillSql(after.field, world.dialect) : undefined;
  const cases = former.flatMap(({ id, value }) => {
    const become = present.has(id) ? textSql(present.get(id) ?? value) : fill;
    return become === undefined || become === textSql(value)
      ? []
      : [{ is: textSql(value), become }];
  });
  const isOnce = cases.some(({ become }) => cases.some(({ is }) => is === become));
  return {
    before,
    after,
    value: (old) => {
      const mapped = mappedSql(old, cases);
      return isRequired && fill !== undefined ? `coalesce(${mapped}, ${fill})` : mapped;
    },
    isCopied: cases.length === 0 && fill === undefined,
    ...(gone.length > 0 ? { misfits: (old) => `${old} IN (${gone.join(', ')})` } : {}),
    ...(fill === undefined ? {} : { fill }),
    ...(isOnce ? { isOnce: true } : {}),
  };
}

interface Case {
  readonly is: string;
  readonly become: string;
}

function mappedSql(old: string, cases: readonly Case[]): string {
  if (cases.length === 0) return old;
  const whens = cases.map(({ is, become }) => `WHEN ${is} THEN ${become}`);
  return `CASE ${old} ${whens.join(' ')} ELSE ${old} END`;
}

import { sql } from 'kysely';
import type { ViewerInSql } from '../access.ts';
import type { Links, Relation } from '../resource.ts';
import { seesField, seesRelation } from '../sight.ts';
import {
  admitted,
  alive,
  column,
  from,
  readable,
  source,
  sourceInside,
  where,
  type Source,
  type Sql,
} from './source.ts';

/** One step over a relation. What the viewer may not read on the other side is not there. */
export interface Crossing {
  readonly rows: Source;
  readonly relation: Relation;
  readonly viewer: ViewerInSql | null;
  /** Whether all that is asked of the other side is shown to whoever sees this one. */
  readonly isEmbedded?: boolean;
}

export function target({ rows, relation }: Crossing): Source {
  return sourceInside(rows, relation.to());
}

/** ` from "users" where …`: the other side of each row, for a subselect inside its own. */
export function fromRelated(crossing: Crossing): Sql {
  const there = target(crossing);
  return sql` from ${from(there)}${where([tie(crossing, there), ...shownRows(crossing, there)])}`;
}

/** What is seen on the other side: rows that the viewer may read, unless what is asked of them is embedded. */
function shownRows(
  { rows, relation, viewer, isEmbedded }: Crossing,
  there: Source,
): readonly Sql[] {
  const seen = isEmbedded === true ? alive(there) : readable(there, viewer);
  return [...seen, ...admitted(there, seesRelation(rows.resource, relation, viewer).there)];
}

/** The rows of which `condition` holds for something on the other side; planned as a semi-join. */
export function someRelated(crossing: Crossing, condition: (there: Source) => Sql): Sql {
  const { rows, relation } = crossing;
  const there = target(crossing);
  const found = where([...shownRows(crossing, there), condition(there)]);
  const ids = sql`(select ${column(there, 'id')} from ${from(there)}${found})`;
  switch (relation.kind) {
    case 'one':
      return sql`${column(rows, relation.key)} in ${ids}`;
    case 'links': {
      const { links, here, beyond } = linkRows(crossing, relation);
      return sql`${column(rows, 'id')} in (select ${here}${links([sql`${beyond} in ${ids}`])})`;
    }
    default: {
      const keys = sql`(select ${column(there, relation.key)} from ${from(there)}${found})`;
      return sql`${column(rows, 'id')} in ${keys}`;
    }
  }
}

export function isToMany(relation: Relation): boolean {
  return relation.kind === 'many' || relation.kind === 'links';
}

function tie(crossing: Crossing, there: Source): Sql {
  const { rows, relation } = crossing;
  if (relation.kind === 'one') return sql`${column(there, 'id')} = ${column(rows, relation.key)}`;
  if (relation.kind !== 'links') return sql`${column(there, relation.key)} = ${column(rows, 'id')}`;
  const { links, here, beyond } = linkRows(crossing, relation);
  const mine = sql`${here} = ${column(rows, 'id')}`;
  return sql`${column(there, 'id')} in (select ${beyond}${links([mine])})`;
}

/** The table between, and its two columns. */
function linkRows({ viewer }: Crossing, relation: Links) {
  const through = relation.through?.();
  const visible = through ? visiblePairs(source(through), relation, viewer) : [];
  return {
    here: sql.ref(`${relation.table}.${relation.column}`),
    beyond: sql.ref(`${relation.table}.${relation.targetColumn}`),
    links: (conditions: readonly Sql[]) =>
      sql` from ${sql.table(relation.table)}${where([...visible, ...conditions])}`,
  };
}

/** Rows between that the viewer may read, where they see both of its keys. */
function visiblePairs(
  pairs: Source,
  { column: mine, targetColumn }: Links,
  viewer: ViewerInSql | null,
): readonly Sql[] {
  const { fields } = pairs.resource;
  const keys = Object.keys(fields).filter((name) =>
    [mine, targetColumn].includes(fields[name]?.column ?? name),
  );
  const seen = keys.flatMap((key) => admitted(pairs, seesField(pairs.resource, key, viewer)));
  return [...readable(pairs, viewer), ...seen];
}

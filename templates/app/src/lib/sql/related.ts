import type { Viewer } from '../access.ts';
import type { Links, Relation } from '../resource.ts';
import { column, from, readable, source, type Source } from './conditions.ts';
import { name, raw, sql, where, type Sql } from './sql.ts';

/** One step over a relation. What the viewer may not read on the other side is not there. */
export interface Crossing {
  readonly rows: Source;
  readonly relation: Relation;
  readonly viewer: Viewer | null;
}

export function target({ rows, relation }: Crossing): Source {
  return source(relation.to(), rows.depth + 1);
}

/** ` from "users" as t1 where …`: the other side of each row, for a subselect inside its own. */
export function fromRelated(crossing: Crossing): Sql {
  const there = target(crossing);
  return sql` from ${from(there)}${where([tie(crossing, there), ...readable(there, crossing.viewer)])}`;
}

/** The rows of which `condition` holds for something on the other side; planned as a semi-join. */
export function someRelated(crossing: Crossing, condition: (there: Source) => Sql): Sql {
  const { rows, relation, viewer } = crossing;
  const there = target(crossing);
  const found = where([...readable(there, viewer), condition(there)]);
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
function linkRows({ rows, viewer }: Crossing, relation: Links) {
  const alias = raw(`l${rows.depth}`);
  const through = relation.through?.();
  const visible = through ? readable({ resource: through, alias, depth: rows.depth }, viewer) : [];
  return {
    here: sql`${alias}.${name(relation.column)}`,
    beyond: sql`${alias}.${name(relation.targetColumn)}`,
    links: (conditions: readonly Sql[]) =>
      sql` from ${name(relation.table)} as ${alias}${where([...visible, ...conditions])}`,
  };
}

import { sql } from 'kysely';
import { concatenated, json } from '../../database/dialect.ts';
import type { Condition, ViewerInSql } from '../access.ts';
import { fieldOf } from '../resource.ts';
import type { Selection } from '../selection.ts';
import { hasEmbedded, seesField, seesRelation } from '../path.ts';
import {
  admitted,
  all,
  column,
  type Crossing,
  fromRelated,
  isToMany,
  type Source,
  type Sql,
  target,
} from './source.ts';

interface Member {
  readonly key: string;
  readonly value: Sql;
  /** It is in the rows for which all of them hold. */
  readonly shown: readonly Condition[];
}

/**
 * A row as the JSON text that is sent: the database builds it. Where `readable` does not hold of it, but it was led to,
 * only what the model embeds is shown.
 */
export function rowJson(
  rows: Source,
  selection: Selection,
  viewer: ViewerInSql | null,
  readable: Condition = true,
) {
  const { resource } = rows;
  const { relations, policy } = resource;
  const fields = selection.fields.map((name): Member => {
    const isEmbedded = name === 'id' || policy.embed.includes(name);
    const shown = [seesField(resource, name, viewer), isEmbedded || readable];
    return { key: name, value: fieldJson(rows, name), shown };
  });
  const links = selection.links.flatMap((name): Member[] => {
    const relation = relations[name];
    if (relation?.kind !== 'links' || relation.ids === undefined) return [];
    const shown = [seesRelation(resource, relation, viewer).here, readable];
    return [{ key: relation.ids, value: idsJson({ rows, relation, viewer }), shown }];
  });
  const embedded = selection.embedded.flatMap((it): Member[] => {
    const relation = relations[it.relation];
    if (relation === undefined) return [];
    const shown = [seesRelation(resource, relation, viewer).here, readable];
    const value = embeddedJson({ rows, relation, viewer }, it.selection);
    return [{ key: it.relation, value, shown }];
  });
  return object(rows, [...fields, ...links, ...embedded]);
}

export function fieldJson(rows: Source, name: string): Sql {
  const field = fieldOf(rows.resource, name);
  const text = json(column(rows, name), field);
  return field.nullable ? sql`coalesce(${text}, 'null')` : text;
}

function idsJson(crossing: Crossing): Sql {
  return arrayOf(crossing, fieldJson(target(crossing), 'id'));
}

function embeddedJson(crossing: Crossing, selection: Selection): Sql {
  const { relation, viewer } = crossing;
  const there = target(crossing);
  if (isToMany(relation)) return arrayOf(crossing, rowJson(there, selection, viewer));
  const isEmbedded = hasEmbedded(relation);
  const readable = isEmbedded ? there.resource.policy.read(viewer) : true;
  const row = rowJson(there, selection, viewer, readable);
  return sql`coalesce((select ${row}${fromRelated({ ...crossing, isEmbedded })}), 'null')`;
}

function arrayOf(crossing: Crossing, item: Sql): Sql {
  const items = sql`string_agg(${item}, ',' order by ${column(target(crossing), 'id')})`;
  return sql`(select '[' || coalesce(${items}, '') || ']'${fromRelated(crossing)})`;
}

/** The id comes first, and is in every row. */
function object(rows: Source, members: readonly Member[]) {
  const seen = members.filter(({ shown }) => !shown.includes(false));
  const parts = seen.flatMap(({ key, value, shown }, index): Sql[] => {
    const label = sql.lit(`${index === 0 ? '{' : ','}${JSON.stringify(key)}:`);
    const conditions = shown.flatMap((condition) => admitted(rows, condition));
    return conditions.length === 0
      ? [label, value]
      : [sql`case when ${all(conditions)} then ${label} || ${value} else '' end`];
  });
  return concatenated([...parts, sql.lit('}')]);
}

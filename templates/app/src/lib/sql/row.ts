import { sql } from 'kysely';
import { json } from '../../database/dialect.ts';
import type { ViewerInSql } from '../access.ts';
import { fieldOf } from '../resource.ts';
import type { Selection } from '../selection.ts';
import { fromRelated, isToMany, target, type Crossing } from './related.ts';
import { column, type Source, type Sql } from './source.ts';

type Member = readonly [key: string, value: Sql];

/** A row as the JSON text that is sent: the database builds it. */
export function rowJson(rows: Source, selection: Selection, viewer: ViewerInSql | null) {
  const { relations } = rows.resource;
  const fields = selection.fields.map((name): Member => [name, fieldJson(rows, name)]);
  const links = selection.links.flatMap((name): Member[] => {
    const relation = relations[name];
    if (relation?.kind !== 'links' || relation.ids === undefined) return [];
    return [[relation.ids, idsJson({ rows, relation, viewer })]];
  });
  const embedded = selection.embedded.flatMap((it): Member[] => {
    const relation = relations[it.relation];
    if (relation === undefined) return [];
    return [[it.relation, embeddedJson({ rows, relation, viewer }, it.selection)]];
  });
  return object([...fields, ...links, ...embedded]);
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
  const row = rowJson(target(crossing), selection, crossing.viewer);
  if (isToMany(crossing.relation)) return arrayOf(crossing, row);
  return sql`coalesce((select ${row}${fromRelated(crossing)}), 'null')`;
}

function arrayOf(crossing: Crossing, item: Sql): Sql {
  const items = sql`string_agg(${item}, ',' order by ${column(target(crossing), 'id')})`;
  return sql`(select '[' || coalesce(${items}, '') || ']'${fromRelated(crossing)})`;
}

function object(members: readonly Member[]) {
  const parts = members.map(([key, value], index) => {
    const label = `${index === 0 ? '{' : ','}${JSON.stringify(key)}:`;
    return sql`${sql.lit(label)} || ${value}`;
  });
  return sql<string>`${sql.join(parts, sql` || `)} || '}'`;
}

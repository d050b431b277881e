import { sql } from 'kysely';
import { concatenated, json } from '../database/dialect.ts';
import type { Condition, ViewerInSql } from './access.ts';
import { fieldOf, hasEmbedded, isIdList, isToMany } from './resource.ts';
import { type Embedded, maxInArray, type Selection } from './selection.ts';
import {
  admitted,
  all,
  column,
  type Crossing,
  fromRelated,
  type Source,
  type Sql,
  target,
} from './sql.ts';

interface Member {
  readonly key: string;
  readonly value: Sql;
  /** The member is there if this holds for the row. */
  readonly shown: Condition;
}

/**
 * A row as the JSON text that is sent; the database builds it. If the row was reached by a relation and `isReadable` does
 * not hold, only what the model embeds is shown.
 */
export function rowJson(
  rows: Source,
  selection: Selection,
  viewer: ViewerInSql | null,
  isReadable: Condition = true,
) {
  const { resource } = rows;
  const { relations, policy } = resource;
  const fields = selection.fields.map((name): Member => {
    const isEmbedded = name === 'id' || policy.embed.includes(name);
    return { key: name, value: fieldJson(rows, name), shown: isEmbedded || isReadable };
  });
  const links = selection.links.flatMap((name) => {
    const relation = relations[name];
    if (relation === undefined || !isIdList(relation)) return [];
    const value = idsJson({ rows, relation, viewer });
    return [{ key: relation.ids, value, shown: isReadable }];
  });
  const embedded = selection.embedded.flatMap((it) => {
    const relation = relations[it.relation];
    if (relation === undefined) return [];
    const value = embeddedJson({ rows, relation, viewer }, it);
    return [{ key: it.relation, value, shown: isReadable }];
  });
  return object(rows, [...fields, ...links, ...embedded]);
}

function fieldJson(rows: Source, name: string): Sql {
  const field = fieldOf(rows.resource, name);
  const text = json(column(rows, name), field);
  return field.nullable ? sql`coalesce(${text}, 'null')` : text;
}

function idsJson(crossing: Crossing): Sql {
  const there = target(crossing);
  const items = sql`string_agg(${fieldJson(there, 'id')}, ',' order by ${column(there, 'id')})`;
  return sql`(select '[' || coalesce(${items}, '') || ']'${fromRelated(crossing)})`;
}

function embeddedJson(crossing: Crossing, { relation: name, selection }: Embedded): Sql {
  const { relation, viewer } = crossing;
  const there = target(crossing);
  if (isToMany(relation)) return arrayOf(crossing, name, rowJson(there, selection, viewer));
  const isShown = hasEmbedded(relation);
  const isReadable = isShown ? there.resource.policy.read(viewer) : true;
  const row = rowJson(there, selection, viewer, isReadable);
  return sql`coalesce((select ${row}${fromRelated({ ...crossing, isShown })}), 'null')`;
}

/** An embedded list ends after the row with which it reaches this many bytes. */
const maxBytesInArray = 65_536;

/** The rows, ordered by id, and a member `more_comments` after the list if there are more. */
function arrayOf(crossing: Crossing, name: string, item: Sql): Sql {
  const id = column(target(crossing), 'id');
  const first = sql`select ${item} as item, ${id} as id${fromRelated(crossing)} order by id limit ${sql.lit(maxInArray + 1)}`;
  const before = sql`sum(octet_length(item)) over (order by id) - octet_length(item)`;
  const fits = sql`row_number() over (order by id) <= ${sql.lit(maxInArray)} and ${before} < ${sql.lit(maxBytesInArray)}`;
  const items = sql`string_agg(item, ',' order by id) filter (where fits)`;
  const more = sql.lit(`],${JSON.stringify(moreOf(name))}:true`);
  const end = sql`case when count(*) > count(*) filter (where fits) then ${more} else ']' end`;
  const measured = sql`select item, id, ${fits} as fits from (${first}) as first`;
  return sql`(select '[' || coalesce(${items}, '') || ${end} from (${measured}) as measured)`;
}

/** The member that tells that a relation has more rows than are embedded. */
export function moreOf(relation: string): string {
  return `more_${relation}`;
}

/** The id comes first, and every row has it. */
function object(rows: Source, members: readonly Member[]) {
  const seen = members.filter(({ shown }) => shown !== false);
  const parts = seen.flatMap(({ key, value, shown }, index): Sql[] => {
    const label = sql.lit(`${index === 0 ? '{' : ','}${JSON.stringify(key)}:`);
    const conditions = admitted(rows, shown);
    return conditions.length === 0
      ? [label, value]
      : [sql`case when ${all(conditions)} then ${label} || ${value} else '' end`];
  });
  return concatenated([...parts, sql.lit('}')]);
}

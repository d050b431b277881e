import { type Expression, sql, type SqlBool } from 'kysely';
import { concatenated, json } from '../database/dialect.ts';
import type { Condition, ViewerInSql } from './access.ts';
import {
  fieldOf,
  hasEmbedded,
  type Links,
  type Relation,
  type Resource,
  seesField,
  seesRelation,
  type Selection,
} from './resource.ts';

export type Sql = Expression<unknown>;

/** A table in a statement, under its own name wherever it can have that: rules speak of it by that name. */
export interface Source {
  readonly resource: Resource;
  readonly alias: string;
}

export function source(resource: Resource): Source {
  return { resource, alias: resource.table };
}

/** The table inside of a statement about `around`, which may be about the same one. */
function sourceInside(around: Source, resource: Resource): Source {
  const alias = around.alias === resource.table ? `${resource.table}_inside` : resource.table;
  return { resource, alias };
}

/** `"posts"`, or `"posts" as "posts_inside"` */
export function from({ resource, alias }: Source): Sql {
  const table = sql.table(resource.table);
  return alias === resource.table ? table : sql`${table} as ${sql.ref(alias)}`;
}

export function column({ resource, alias }: Source, name: string): Sql {
  const field = fieldOf(resource, name);
  return field.computed?.(alias) ?? sql.ref(`${alias}.${field.column ?? name}`);
}

/** What holds of the rows that a viewer may read: alive, and admitted by the policy. */
export function readable(rows: Source, viewer: ViewerInSql | null): readonly Sql[] {
  return [...alive(rows), ...admitted(rows, rows.resource.policy.read(viewer))];
}

export function alive(rows: Source): readonly Sql[] {
  return rows.resource.softDelete ? [sql`${column(rows, 'deleted_at')} is null`] : [];
}

/** A rule is about the table by its own name; under another one it is asked about the row of the same id. */
export function admitted(rows: Source, condition: Condition): readonly Sql[] {
  if (condition === true) return [];
  if (condition === false) return [sql`1 = 0`];
  if (rows.alias === rows.resource.table) return [condition];
  const named = source(rows.resource);
  const sameRow = sql`${column(named, 'id')} = ${column(rows, 'id')}`;
  return [sql`exists (select 1 from ${from(named)}${where([sameRow, condition])})`];
}

/** ` where a and b`, or nothing. */
export function where(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`` : sql` where ${all(conditions)}`;
}

export function all(conditions: readonly Sql[]): Expression<SqlBool> {
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

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

interface Member {
  readonly key: string;
  readonly value: Sql;
  /** It is in the rows for which all of them hold. */
  readonly shown: readonly Condition[];
}

/**
 * A row as the JSON text that is sent: the database builds it. Where `isReadable` does not hold of it, but it was led to,
 * only what the model embeds is shown.
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
    const shown = [seesField(resource, name, viewer), isEmbedded || isReadable];
    return { key: name, value: fieldJson(rows, name), shown };
  });
  const links = selection.links.flatMap((name): Member[] => {
    const relation = relations[name];
    if (relation?.kind !== 'links' || relation.ids === undefined) return [];
    const shown = [seesRelation(resource, relation, viewer).here, isReadable];
    return [{ key: relation.ids, value: idsJson({ rows, relation, viewer }), shown }];
  });
  const embedded = selection.embedded.flatMap((it): Member[] => {
    const relation = relations[it.relation];
    if (relation === undefined) return [];
    const shown = [seesRelation(resource, relation, viewer).here, isReadable];
    const value = embeddedJson({ rows, relation, viewer }, it.selection);
    return [{ key: it.relation, value, shown }];
  });
  return object(rows, [...fields, ...links, ...embedded]);
}

function fieldJson(rows: Source, name: string): Sql {
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
  const isReadable = isEmbedded ? there.resource.policy.read(viewer) : true;
  const row = rowJson(there, selection, viewer, isReadable);
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

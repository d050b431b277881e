import { type Expression, sql, type SqlBool } from 'kysely';
import { inTime } from '../database/dialect.ts';
import { slot } from '../database/slot.ts';
import type { Condition, ViewerInSql } from './access.ts';
import {
  fieldOf,
  isEmbedded,
  keysOf,
  type Links,
  type One,
  type Path,
  type Relation,
  type Resource,
  seesField,
  seesRelation,
} from './resource.ts';

export type Sql = Expression<unknown>;

/** A table in a statement, under its own name wherever possible, since rules use that name. */
export interface Source {
  readonly resource: Resource;
  readonly alias: string;
}

export function source(resource: Resource): Source {
  return { resource, alias: resource.table };
}

/** The table inside a statement about `around`, which may be the same table. */
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

/** The conditions on rows that a viewer may read, or list: not deleted, and admitted by the policy. */
export function readable(
  rows: Source,
  viewer: ViewerInSql | null,
  operation: 'list' | 'read' = 'read',
): readonly Sql[] {
  return [...alive(rows), ...admitted(rows, rows.resource.policy[operation](viewer))];
}

/** Excludes deleted rows and rows whose owner (`onDelete: 'cascade'`) is deleted. */
export function alive(rows: Source, passed: readonly Resource[] = []): readonly Sql[] {
  const { resource } = rows;
  const present = presentRow(rows, passed);
  const keys = owners(resource).flatMap(({ to, key }) => (to() === resource ? [key] : []));
  if (present.length === 0 || keys.length === 0) return present;

  const isFirst = keys.map((key) => sql`${column(rows, key)} is null`);
  const there = { resource, alias: '_there' };
  const ids = idsAbove(resource, keys, (above) => isNamed(above, rows, keys));
  const gone = sql`not (${all(presentRow(there, passed))})`;
  const found = where([sql`${column(there, 'id')} in ${ids}`, gone]);
  return [...present, sql`(${all(isFirst)} or not exists (select 1 from ${from(there)}${found}))`];
}

/** As `alive`, but keys to rows of the same model are not followed. A circle of models is followed once. */
function presentRow(rows: Source, passed: readonly Resource[]): readonly Sql[] {
  const { resource } = rows;
  const own = resource.softDelete ? [sql`${column(rows, resource.softDelete)} is null`] : [];
  const seen = [...passed, resource];
  const others = owners(resource).filter(({ to }) => !seen.includes(to()));
  const present = others.flatMap(({ to, key: name, nullable }) => {
    const there = sourceInside(rows, to());
    const conditions = alive(there, seen);
    if (conditions.length === 0) return [];
    const key = column(rows, name);
    const isThere = where([sql`${column(there, 'id')} = ${key}`, ...conditions]);
    const found = sql`exists (select 1 from ${from(there)}${isThere})`;
    return [nullable ? sql`(${key} is null or ${found})` : found];
  });
  return [...own, ...present];
}

/** The relations to rows that are deleted together with this one. */
export function owners(resource: Resource): readonly One[] {
  return keysOf(resource).filter(({ onDelete }) => onDelete === 'cascade');
}

/** The ids of the rows for which `isFirst` holds, and of all their ancestors in the same model. */
export function idsAbove(
  resource: Resource,
  keys: readonly string[],
  isFirst: (row: Source) => Sql,
): Sql {
  const above = { resource, alias: '_above' };
  const below = { resource, alias: '_below' };
  const found = sql.table('_found');
  const first = sql`select ${column(above, 'id')} from ${from(above)}${where([isFirst(above)])}`;
  const next = sql`select ${column(above, 'id')} from ${found} join ${from(below)} on ${column(below, 'id')} = ${found}.id join ${from(above)} on ${isNamed(above, below, keys)}`;
  return sql`(with recursive ${found}(id) as (${first} union ${next}) select id from ${found})`;
}

/** Whether one of the keys of a row is the id of the other one. */
function isNamed(named: Source, row: Source, keys: readonly string[]): Sql {
  return sql`${column(named, 'id')} in (${sql.join(keys.map((key) => column(row, key)))})`;
}

/** A rule uses the table's own name; for a table under another name, it is asked about the row with the same id. */
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

/** ` from "posts" where …`: the row of the id, if it is one of those that are seen. */
export function fromRow(resource: Resource, seen: readonly Sql[] = []): Sql {
  const rows = source(resource);
  const isRow = sql`${column(rows, 'id')} = ${idSlot}`;
  return sql` from ${from(rows)}${where([isRow, ...seen])}`;
}

/** The id of the row that a statement is about. */
export const idSlot = slot<never>(({ id }) => id);

/** The operand of a statement at this position. */
export const operandSlot = (at: number) => slot<never>(({ operands = [] }) => operands[at]);

export function all(conditions: readonly Sql[]): Expression<SqlBool> {
  if (conditions.length === 0) return sql<SqlBool>`1 = 1`;
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** One step along a relation. Related rows that the viewer may not read are left out. */
export interface Crossing {
  readonly rows: Source;
  readonly relation: Relation;
  readonly viewer: ViewerInSql | null;
  /** True if the selected fields are embedded: anyone who sees this row sees them. */
  readonly isShown?: boolean;
}

/** The first step of a path, if it goes along relations. */
export function crossingTo(
  rows: Source,
  { steps: [relation, ...others], name }: Pick<Path, 'steps' | 'name'>,
  viewer: ViewerInSql | null,
): Crossing | undefined {
  const isShown = others.length === 0 && relation !== undefined && isEmbedded(relation, name);
  return relation && { rows, relation, viewer, isShown };
}

export function target({ rows, relation }: Crossing): Source {
  return sourceInside(rows, relation.to());
}

/** ` from "users" where …`: the related rows of each row, for a subselect inside its own. */
export function fromRelated(crossing: Crossing): Sql {
  const there = target(crossing);
  return sql` from ${from(there)}${where([joinCondition(crossing, there), ...shownRows(crossing, there)])}`;
}

/** The conditions on related rows: the viewer may read them, unless what is selected of them is embedded. */
function shownRows({ rows, relation, viewer, isShown }: Crossing, there: Source): readonly Sql[] {
  const operation = isKnown(relation) ? 'read' : 'list';
  const seen = isShown === true ? alive(there) : readable(there, viewer, operation);
  const led = admitted(there, seesRelation(rows.resource, relation, viewer).there);
  return [...inTime(there.alias), ...seen, ...led];
}

/** The rows for which `condition` holds of a related row; planned as a semi-join. */
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

/** Whether the ids of the related rows are the row's own. From the other side they are found, as by a list. */
function isKnown(relation: Relation): boolean {
  if (relation.kind === 'one') return true;
  return relation.kind === 'links' && (relation.ids ?? relation.through) !== undefined;
}

function joinCondition(crossing: Crossing, there: Source): Sql {
  const { rows, relation } = crossing;
  if (relation.kind === 'one') return sql`${column(there, 'id')} = ${column(rows, relation.key)}`;
  if (relation.kind !== 'links') return sql`${column(there, relation.key)} = ${column(rows, 'id')}`;
  const { links, here, beyond } = linkRows(crossing, relation);
  const mine = sql`${here} = ${column(rows, 'id')}`;
  return sql`${column(there, 'id')} in (select ${beyond}${links([mine])})`;
}

/** The table between the two, and its columns. */
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

/** Join rows the viewer may list, as nobody asks for one by its id, and whose two keys they may see. */
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
  return [...readable(pairs, viewer, 'list'), ...seen];
}

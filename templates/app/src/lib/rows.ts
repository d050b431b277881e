import { type Expression, sql, type SqlBool } from 'kysely';
import type { Database } from '../database/client.ts';
import { among, encodeList, forUpdate } from '../database/dialect.ts';
import {
  type Bindings,
  type Compilable,
  keptStatements,
  slot,
  type Slot,
} from '../database/slot.ts';
import type { Tables } from '../database/tables.ts';
import { canonical } from '../database/values.ts';
import { type Condition, inSql, type Viewer, type ViewerInSql } from './access.ts';
import { type ListScope, refuse } from './list.ts';
import type { ListRows } from './list/page.ts';
import {
  fieldOf,
  type Id,
  type Links,
  type Resource,
  seesWholeRows,
  type Selection,
  wholeRow,
} from './resource.ts';
import { bodyFault, invalid, noSuchRow, notFound, preconditionFailed, refusal } from './problem.ts';
import { namesRow } from './request.ts';
import {
  admitted,
  alive,
  all,
  column,
  from,
  readable,
  rowJson,
  source,
  type Source,
  type Sql,
  where,
} from './sql.ts';

/** Who asks for a new row. */
export interface NewRow {
  readonly viewer: Viewer | null;
  /** The role of a user who writes about themselves, whatever the policy would let them do. */
  readonly self?: string;
}

/** Who asks for a row, and which. */
export interface RowRequest<RowId = Id> extends NewRow {
  readonly id: RowId;
  /** What the header `If-Match` says. */
  readonly ifMatch?: string | undefined;
}

/** What the row that is looked for may depend on. */
export interface RowScope<RowId> {
  readonly viewer: ViewerInSql | null;
  readonly id: Slot<RowId>;
}

/** Finds a row, whole: what is shown of it is decided when it is sent. */
export type FindRow<Row extends { readonly id: Id }> = (
  database: Database,
  request: RowRequest<Row['id']>,
) => Promise<Row | undefined>;

const idSlot = slot<never>(({ id }) => id);

/** `rows` is called once for each role, never with what one viewer alone has. */
export function defineFind<Row extends { readonly id: Id }, Joined extends keyof Tables>(
  resource: Resource,
  rows: (database: Database, scope: RowScope<Row['id']>) => ListRows<Joined>,
): FindRow<Row> {
  const run = keptStatements<{ readonly item: string }>();
  return async (database, { viewer, id }) => {
    // To whom it is closed altogether, it is not there either.
    if (viewer === null) refuse(resource.policy.read, viewer);
    const asking = inSql(viewer);
    const item = () => rowJson(source(resource), wholeRow(resource), asking).as('item');
    const statement = () => rows(database, { viewer: asking, id: idSlot }).select(item());
    const [found] = await run(database, String(viewer?.role), statement, { viewer, id });
    return found && JSON.parse(found.item);
  };
}

const runRow = keptStatements<{ readonly item: string }>();

/** What a viewer who was admitted to a row is shown of it; the whole row unless something was selected. */
export async function readRow<Row>(
  database: Database,
  resource: Resource,
  { viewer, id }: RowRequest,
  selection: Selection = wholeRow(resource),
): Promise<Row> {
  const write = () => {
    const rows = source(resource);
    const item = rowJson(rows, selection, inSql(viewer));
    return sql<{ readonly item: string }>`select ${item} as item${fromRow(rows)}`;
  };
  const key = JSON.stringify([resource.name, viewer?.role, selection]);
  const [found] = await runRow(database, key, write, { viewer, id });
  if (found === undefined) throw notFound();
  return JSON.parse(found.item);
}

/** ` from "posts" where …`: the row of the id, if it is one of those that are seen. */
function fromRow(rows: Source, seen: readonly Sql[] = []): Sql {
  const isRow = sql`${column(rows, 'id')} = ${idSlot}`;
  return sql` from ${from(rows)}${where([isRow, ...seen])}`;
}

/** A row that is at hand as the viewer is shown it. */
export async function shownTo<Row extends { readonly id: Id }>(
  database: Database,
  resource: Resource,
  { viewer, row }: { readonly viewer: Viewer | null; readonly row: Row },
): Promise<Row> {
  if (seesWholeRows(resource, inSql(viewer))) return row;
  return readRow<Row>(database, resource, { viewer, id: row.id });
}

const runChecks = keptStatements<object>();

/** Which of the conditions that `write` asks for hold, in their order; undefined where there is no row to ask. */
async function check(
  database: Database,
  key: readonly unknown[],
  write: () => Compilable<object>,
  bindings: Bindings,
): Promise<readonly boolean[] | undefined> {
  const [found] = await runChecks(database, JSON.stringify(key), write, bindings);
  return found && Object.values(found).map((each) => Number(each) === 1);
}

/** `select … as "r0", … as "r1"`: an answer has one column of a name. */
function ask(conditions: readonly Sql[], rows: Sql = sql``): Compilable<object> {
  const columns = conditions.map((each, index) => sql`${each} as ${sql.ref(`r${index}`)}`);
  return sql<object>`select ${sql.join(columns)}${rows}`;
}

function holds(rows: Source, condition: Condition): Sql {
  return all([sql`1 = 1`, ...admitted(rows, condition)]);
}

/**
 * Locks the row and throws when it may not be changed: 404 when the viewer may not see it, 403 when they may but the
 * policy does not admit them, 412 when it is not what they last read.
 */
export async function requireChangeable(
  database: Database,
  resource: Resource,
  operation: 'update' | 'delete',
  request: RowRequest,
): Promise<void> {
  const { viewer, id, ifMatch } = request;
  const asking = inSql(viewer);
  const condition = resource.policy[operation](asking);
  if (viewer === null && condition === false) throw refusal(viewer);
  const write = () => {
    const rows = source(resource);
    const row = fromRow(rows, readable(rows, asking));
    return ask([holds(rows, condition)], sql`${row}${forUpdate}`);
  };
  const key = ['changeable', resource.name, operation, viewer?.role];
  const found = await check(database, key, write, { viewer, id });
  if (found === undefined) throw notFound();
  if (found[0] !== true) throw refusal(viewer);
  if (ifMatch === undefined) return;
  const row = await readRow(database, resource, request);
  if (!namesRow(ifMatch, row)) throw preconditionFailed();
}

/** Throws 403 when a row, as it is now that it was written, is none that the viewer may make or have changed. */
export async function requireAllowed(
  database: Database,
  resource: Resource,
  operation: 'create' | 'update',
  { viewer, id }: RowRequest,
): Promise<void> {
  const condition = resource.policy[operation](inSql(viewer));
  if (condition === true) return;
  const write = () => {
    const rows = source(resource);
    return ask([holds(rows, condition)], fromRow(rows));
  };
  const key = ['allowed', resource.name, operation, viewer?.role];
  const found = await check(database, key, write, { viewer, id });
  if (found?.[0] !== true) throw refusal(viewer);
}

/** Throws 401 or 403 for a viewer who may make none of these rows. */
export function requireCreator({ policy }: Resource, viewer: Viewer | null): void {
  refuse(policy.create, viewer);
}

/** Throws 422 that names every value that the viewer may not write in this row. */
export async function requireWritable(
  database: Database,
  resource: Resource,
  { viewer, id }: RowRequest,
  values: object,
): Promise<void> {
  const asking = inSql(viewer);
  const rules = Object.entries(values).flatMap(([field, value]) => {
    const condition = resource.policy.fields.get(field)?.write(asking) ?? true;
    return condition === true || value === undefined ? [] : [{ field, condition }];
  });
  if (rules.length === 0) return;
  const write = () => {
    const rows = source(resource);
    const conditions = rules.map(({ condition }) => holds(rows, condition));
    return ask(conditions, fromRow(rows));
  };
  const key = ['writable', resource.name, viewer?.role, ...rules.map(({ field }) => field)];
  const found = (await check(database, key, write, { viewer, id })) ?? [];
  const refused = rules.filter((_, index) => found[index] !== true);
  if (refused.length === 0) return;
  throw invalid(
    refused.map(({ field }) => bodyFault(field, 'not_writable', 'is not yours to write')),
  );
}

/**
 * Throws 422 that names every key among the values to which no row answers that the viewer may read. An owner whom the
 * server sets, or one who may, need only be there.
 */
export async function requireReferences(
  database: Database,
  resource: Resource,
  viewer: Viewer | null,
  values: object,
): Promise<void> {
  const references = referencesIn(resource, values);
  if (references.length === 0) return;
  const isAnswered = ({ to, isOwner }: Reference, index: number) => {
    const there = source(to);
    const ids = slot(({ operands = [] }) => operands[2 * index]);
    const count = slot(({ operands = [] }) => operands[2 * index + 1]);
    const seen = isOwner ? alive(there) : readable(there, inSql(viewer));
    const named = where([among(column(there, 'id'), ids), ...seen]);
    return sql`(select count(*) from ${from(there)}${named}) = ${count}`;
  };
  const operands = references.flatMap(({ to, ids }) => [
    encodeList(ids, fieldOf(to, 'id')),
    ids.length,
  ]);
  const key = ['references', resource.name, viewer?.role, ...references.map(({ field }) => field)];
  const found =
    (await check(database, key, () => ask(references.map(isAnswered)), { viewer, operands })) ?? [];
  const missing = references.filter((_, index) => found[index] !== true);
  if (missing.length === 0) return;
  throw invalid(missing.map(({ field }) => bodyFault(field, 'not_found', noSuchRow)));
}

interface Reference {
  readonly field: string;
  readonly to: Resource;
  readonly ids: readonly unknown[];
  readonly isOwner?: boolean;
}

/** The fields among the values that name other rows. */
function referencesIn({ fields, relations }: Resource, values: object): readonly Reference[] {
  const given = new Map<string, unknown>(Object.entries(values));
  const keys = [...given].flatMap(([field, value]): Reference[] => {
    const relation = relations[fields[field]?.references ?? ''];
    if (relation === undefined || value === null || value === undefined) return [];
    const isOwner = fields[field]?.set !== undefined;
    return [{ field, to: relation.to(), ids: [value], isOwner }];
  });
  const links = Object.values(relations).flatMap((relation): Reference[] => {
    if (relation.kind !== 'links' || relation.ids === undefined) return [];
    const ids = given.get(relation.ids);
    if (!Array.isArray(ids)) return [];
    return [{ field: relation.ids, to: relation.to(), ids: distinct(relation, ids) }];
  });
  return [...keys, ...links];
}

/** Makes the links of a row what the ids say, and leaves those alone that are so already; without ids, all of them. */
export async function setLinks(
  database: Database,
  links: Links,
  { id, ids }: { readonly id: Id; readonly ids: readonly Id[] | undefined },
): Promise<void> {
  if (ids === undefined) return;
  const idField = fieldOf(links.to(), 'id');
  const list = sql.val(encodeList(distinct(links, ids), idField));
  const table = sql.table(links.table);
  const [mine, other] = [sql.ref(links.column), sql.ref(links.targetColumn)];
  await sql`delete from ${table} where ${mine} = ${id} and not ${among(other, list)}`.execute(
    database,
  );
  const there = source(links.to());
  const theirs = column(there, 'id');
  await sql`insert into ${table} (${mine}, ${other}) select ${id}, ${theirs} from ${from(there)} where ${among(theirs, list)} on conflict do nothing`.execute(
    database,
  );
}

/** One spelling of an id names it once. */
function distinct(links: Links, ids: readonly unknown[]): readonly unknown[] {
  const idField = fieldOf(links.to(), 'id');
  return [...new Set(ids.map((id) => canonical(id, idField)))];
}

/** For `$call`: of rows that stay when they are deleted, those that a list is about. */
export function isDeleted(name: string, deleted: ListScope['deleted']) {
  return <Query extends { where(condition: Expression<SqlBool>): Query }>(query: Query): Query => {
    if (deleted === 'with') return query;
    return query.where(
      sql<SqlBool>`${sql.ref(name)} is ${deleted === 'only' ? sql`not null` : sql`null`}`,
    );
  };
}

import { sql } from 'kysely';
import type { Database } from '../database/client.ts';
import { among, encode, encodeList, forUpdate } from '../database/dialect.ts';
import { type Bindings, type Compilable, keptStatements, slot } from '../database/slot.ts';
import { canonical } from '../database/values.ts';
import { type BoundRule, type Condition, inSql, type Viewer, type ViewerInSql } from './access.ts';
import { refuse } from './list.ts';
import {
  belongsToDeleted,
  bodyFault,
  invalid,
  noSuchRow,
  notFound,
  preconditionFailed,
  refusal,
} from './problem.ts';
import { namesRow } from './request.ts';
import { fieldOf, type Id, type Links, type One, type Resource } from './resource.ts';
import { fromRow, idSlot, readRow, type RowRequest, shownTo } from './rows.ts';
import {
  admitted,
  alive,
  all,
  column,
  from,
  idsAbove,
  readable,
  source,
  type Sql,
  where,
} from './sql.ts';

/** Who writes which row, as the checks ask for it. */
interface Asked {
  readonly viewer: Viewer | null;
  readonly id: Id;
}

/** Throws 401 or 403 for a viewer who may make none of these rows. */
export function requireCreator({ policy }: Resource, viewer: Viewer | null): void {
  refuse(policy.create, viewer);
}

/**
 * Throws 422 that names every value that no viewer of this role may write. It is asked before anything is written, so
 * that nobody learns from a conflict which values there are.
 */
export function requireRole(resource: Resource, viewer: Viewer | null, values: object): void {
  const rules = writeRules(resource, inSql(viewer), values);
  refuseFields(rules.filter(({ condition }) => condition === false));
}

/** A row before it is changed, and which of the policy's ways to change it admit to that. */
interface Changeable<Row> {
  readonly row: Required<Row>;
  readonly ways: readonly number[];
}

/**
 * Locks the row, and returns all of it. Throws when it may not be changed: 404 when the viewer may not see it, 403 when
 * they may but the policy does not admit them, 412 when it is not what they last read.
 */
export async function requireChangeable<Row extends { readonly id: Id }>(
  database: Database,
  resource: Resource<Row>,
  operation: 'update' | 'delete',
  { viewer, id, ifMatch }: RowRequest<Row['id']>,
): Promise<Changeable<Row>> {
  const asking = inSql(viewer);
  const { changes, delete: removal } = resource.policy;
  const rules = operation === 'update' ? changes.map(({ before }) => before) : [removal];
  const conditions = rules.map((rule) => rule(asking));
  if (viewer === null && conditions.every((condition) => condition === false))
    throw refusal(viewer);
  const write = () => {
    const rows = source(resource);
    const row = fromRow(resource, readable(rows, asking));
    const asked = conditions.map((condition) => holds(resource, condition));
    return ask(asked, sql`${row}${forUpdate}`);
  };
  const key = ['changeable', resource.name, operation, viewer?.role];
  const found = await check(database, key, write, { viewer, id });
  if (found === undefined) throw notFound();
  const ways = found.flatMap((admits, way) => (admits ? [way] : []));
  if (ways.length === 0) throw refusal(viewer);
  const row = await readRow(database, resource, id);
  if (ifMatch === undefined) return { row, ways };
  const shown = await shownTo(database, resource, { viewer, row });
  if (!namesRow(ifMatch, shown)) throw preconditionFailed();
  return { row, ways };
}

/**
 * Throws 403 when a row, as it is now that it was written, is none that the viewer may make or, in one of the ways that
 * admitted them before, have changed.
 */
export async function requireAllowed(
  database: Database,
  resource: Resource,
  { viewer, id, ways }: Asked & { readonly ways?: readonly number[] },
): Promise<void> {
  const rules = rulesAfter(resource, ways);
  const conditions = rules.map((rule) => rule(inSql(viewer)));
  if (conditions.includes(true)) return;
  const write = () =>
    ask(
      conditions.map((condition) => holds(resource, condition)),
      fromRow(resource),
    );
  const key = ['allowed', resource.name, viewer?.role, ways];
  const found = await check(database, key, write, { viewer, id });
  if (found?.includes(true) !== true) throw refusal(viewer);
}

/**
 * Throws 403 or 422 as the checks of a written row do, for one that could not be written because it would not be the only
 * one of its kind: what is taken is told to those alone who may write it. With an id, the values change that row.
 */
export async function requireAllowedValues(
  database: Database,
  resource: Resource,
  values: object,
  { viewer, id, ways }: Omit<Asked, 'id'> & { readonly id?: Id; readonly ways?: readonly number[] },
): Promise<void> {
  const isNew = id === undefined;
  const rules = rulesAfter(resource, ways).map((rule) => rule(inSql(viewer)));
  const fields = isNew ? writeRules(resource, inSql(viewer), values) : [];
  if (rules.includes(true) && fields.length === 0) return;
  const rows = source(resource);
  const names = Object.keys(resource.fields).filter((name) => isKept(resource, name));
  const given = new Map<string, unknown>(Object.entries(values));
  const made = new Map<string, unknown>(Object.entries(resource.defaults?.() ?? {}));
  const operands = names.map((name) => {
    const field = fieldOf(resource, name);
    const initial = made.get(field.column ?? name) ?? field.default;
    return encode(given.get(name) === undefined ? initial : given.get(name), field);
  });
  const isBound = names.map((name) => isNew || given.get(name) !== undefined);
  const write = () => {
    const columns = names.map((name) => column(rows, name));
    const own = columns.map((stored, index) =>
      isBound[index] === true ? slot(({ operands: bound = [] }) => bound[index]) : stored,
    );
    // As a table of its name, so that rules may speak of it; the first half gives the columns their types.
    const row = sql`select ${sql.join(columns)} from ${from(rows)} where 1 = 0 union all select ${sql.join(own)}${isNew ? sql`` : fromRow(resource)}`;
    const conditions = [...rules, ...fields.map(({ condition }) => condition)];
    const asked = conditions.map((condition) => holds(resource, condition));
    return ask(asked, sql` from (${row}) as ${sql.table(rows.alias)}`);
  };
  const ruled = fields.map(({ field }) => field);
  const key = ['values', resource.name, viewer?.role, ways, isBound, ruled];
  const found = (await check(database, key, write, { viewer, id, operands })) ?? [];
  refuseFields(fields.filter((_, index) => found[rules.length + index] !== true));
  if (!found.slice(0, rules.length).includes(true)) throw refusal(viewer);
}

/** Whether a field has a column of its own. */
const isKept = (resource: Resource, name: string) => fieldOf(resource, name).computed === undefined;

/** Without a way to change a row, it is new. */
function rulesAfter({ policy }: Resource, ways?: readonly number[]): readonly BoundRule[] {
  return ways?.flatMap((way) => policy.changes[way]?.after ?? []) ?? [policy.create];
}

/** Throws 422 that names every value that the viewer may not write in this row. */
export async function requireWritable(
  database: Database,
  resource: Resource,
  { viewer, id }: Asked,
  values: object,
): Promise<void> {
  const rules = writeRules(resource, inSql(viewer), values);
  if (rules.length === 0) return;
  const write = () =>
    ask(
      rules.map(({ condition }) => holds(resource, condition)),
      fromRow(resource),
    );
  const key = ['writable', resource.name, viewer?.role, ...rules.map(({ field }) => field)];
  const found = (await check(database, key, write, { viewer, id })) ?? [];
  refuseFields(rules.filter((_, index) => found[index] !== true));
}

interface WriteRule {
  readonly field: string;
  readonly condition: Condition;
}

/** What has to hold where the viewer may not simply write what they send. */
function writeRules(
  { policy }: Resource,
  viewer: ViewerInSql | null,
  values: object,
): readonly WriteRule[] {
  return Object.entries(values).flatMap(([field, value]) => {
    const condition = policy.fields.get(field)?.write(viewer) ?? true;
    return condition === true || value === undefined ? [] : [{ field, condition }];
  });
}

function refuseFields(rules: readonly WriteRule[]): void {
  if (rules.length === 0) return;
  throw invalid(
    rules.map(({ field }) => bodyFault(field, 'not_writable', 'is not yours to write')),
  );
}

/**
 * Throws 422 that names every key among the values to which no row answers that the viewer may refer to. An owner whom
 * the server sets, or one who may, need only be there.
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
    const named = admitted(there, isOwner === true || to.policy.refer(inSql(viewer)));
    const found = where([among(column(there, 'id'), ids), ...alive(there), ...named]);
    return sql`(select count(*) from ${from(there)}${found}) = ${count}`;
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
function referencesIn(resource: Resource, values: object): readonly Reference[] {
  const given = new Map<string, unknown>(Object.entries(values));
  const keys = keysOf(resource).flatMap(({ to, key: field }): Reference[] => {
    const value = given.get(field);
    if (value === null || value === undefined) return [];
    const { set, owner } = fieldOf(resource, field);
    return [{ field, to: to(), ids: [value], isOwner: set === 'server' || owner === true }];
  });
  const links = Object.values(resource.relations).flatMap((relation): Reference[] => {
    if (relation.kind !== 'links' || relation.ids === undefined) return [];
    const ids = given.get(relation.ids);
    if (!Array.isArray(ids)) return [];
    return [{ field: relation.ids, to: relation.to(), ids: distinctIds(relation, ids) }];
  });
  return [...keys, ...links];
}

/**
 * Throws when a deleted row may not be brought back: 404 when the viewer could not see it if it were there, 403 when they
 * could but the policy does not admit them.
 */
export async function requireRestorable(
  database: Database,
  resource: Resource,
  { viewer, id }: Asked,
): Promise<void> {
  const { read, restore } = resource.policy;
  refuse(restore, viewer);
  const conditions = [read, restore].map((rule) => holds(resource, rule(inSql(viewer))));
  const key = ['restorable', resource.name, viewer?.role];
  const found = await check(database, key, () => ask(conditions, fromRow(resource)), {
    viewer,
    id,
  });
  if (found?.[0] !== true) throw notFound();
  if (found[1] !== true) throw refusal(viewer);
}

/** Throws 409 for a row that was brought back while what it would be deleted with is still deleted. */
export async function requireAlive(database: Database, resource: Resource, id: Id): Promise<void> {
  const write = () => ask([all([sql`1 = 1`, ...alive(source(resource))])], fromRow(resource));
  const found = await check(database, ['alive', resource.name], write, { id });
  if (found?.[0] !== true) throw belongsToDeleted();
}

/** The relations whose keys are fields of the model. */
function keysOf({ relations }: Resource): readonly One[] {
  return Object.values(relations).flatMap((relation) =>
    relation.kind === 'one' ? [relation] : [],
  );
}

/** Throws 422 at a key that would make a row its own ancestor, be it over several others. */
export async function requireNoCircle(
  database: Database,
  resource: Resource,
  id: Id,
  values: object,
): Promise<void> {
  const given = new Map<string, unknown>(Object.entries(values));
  for (const { to, key } of keysOf(resource)) {
    const parent = given.get(key);
    if (to() !== resource || parent === null || parent === undefined) continue;
    // Locks them, or another transaction could close the circle at the same time.
    const write = () => {
      const named = slot(({ operands: [operand] = [] }) => operand);
      const ids = idsAbove(resource, [key], (row) => sql`${column(row, 'id')} = ${named}`);
      const rows = source(resource);
      const above = sql`select ${column(rows, 'id')} as id from ${from(rows)} where ${column(rows, 'id')} in ${ids}${forUpdate}`;
      return ask([sql`(select count(*) from (${above}) as above where above.id = ${idSlot}) = 0`]);
    };
    const operands = [encode(parent, fieldOf(resource, 'id'))];
    const found = await check(database, ['circle', resource.name, key], write, { id, operands });
    if (found?.[0] === true) continue;
    throw invalid([bodyFault(key, 'circular', 'would make the row its own ancestor')]);
  }
}

/** One spelling of an id names it once. */
export function distinctIds(links: Links, ids: readonly unknown[]): readonly unknown[] {
  const idField = fieldOf(links.to(), 'id');
  return [...new Set(ids.map((id) => canonical(id, idField)))];
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

/** Of the row that a statement is about. */
function holds(resource: Resource, condition: Condition): Sql {
  return all([sql`1 = 1`, ...admitted(source(resource), condition)]);
}

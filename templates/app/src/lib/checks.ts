import { sql } from 'kysely';
import type { Database } from '../database/client.ts';
import { forUpdate } from '../database/dialect.ts';
import {
  type BoundRule,
  type Condition,
  inSql,
  refuse,
  type Viewer,
  type ViewerInSql,
} from './access.ts';
import { ask, type Asked, asking, askOfRow, holding } from './ask.ts';
import {
  belongsToDeleted,
  bodyFault,
  invalid,
  notFound,
  preconditionFailed,
  refusal,
} from './problem.ts';
import { namesRow } from './request.ts';
import type { Id, Resource } from './resource.ts';
import { fromRow, readRow, type RowRequest, shownTo } from './rows.ts';
import { alive, all, readable, source } from './sql.ts';

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
  const by = inSql(viewer);
  const { changes, delete: removal } = resource.policy;
  const rules = operation === 'update' ? changes.map(({ before }) => before) : [removal];
  const conditions = rules.map((rule) => rule(by));
  if (viewer === null && conditions.every((condition) => condition === false))
    throw refusal(viewer);
  const write = () => {
    const row = fromRow(resource, readable(source(resource), by));
    return asking(holding(resource, conditions), sql`${row}${forUpdate}`);
  };
  const key = ['changeable', resource.name, operation, viewer?.role];
  const found = await ask(database, key, write, { viewer, id });
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
 * Throws 403 when the row that was written is not one that the viewer may make or, in one of the ways that admitted them
 * before, may leave behind.
 */
export async function requireAllowed(
  database: Database,
  resource: Resource,
  { viewer, id, ways }: Asked & { readonly ways?: readonly number[] },
): Promise<void> {
  const conditions = rulesAfter(resource, ways).map((rule) => rule(inSql(viewer)));
  if (conditions.includes(true)) return;
  const found = await askOfRow(database, resource, ['allowed', ways], conditions, { viewer, id });
  if (found?.includes(true) !== true) throw refusal(viewer);
}

/** Without a way to change a row, it is new. */
export function rulesAfter({ policy }: Resource, ways?: readonly number[]): readonly BoundRule[] {
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
  const about = ['writable', ...rules.map(({ field }) => field)];
  const conditions = rules.map(({ condition }) => condition);
  const found = await askOfRow(database, resource, about, conditions, { viewer, id });
  refuseFields(rules.filter((_, index) => found?.[index] !== true));
}

interface WriteRule {
  readonly field: string;
  readonly condition: Condition;
}

/** What has to hold where the viewer may not simply write what they send. */
export function writeRules(
  { policy }: Resource,
  viewer: ViewerInSql | null,
  values: object,
): readonly WriteRule[] {
  return Object.entries(values).flatMap(([field, value]) => {
    const condition = policy.fields.get(field)?.write(viewer) ?? true;
    return condition === true || value === undefined ? [] : [{ field, condition }];
  });
}

export function refuseFields(rules: readonly WriteRule[]): void {
  if (rules.length === 0) return;
  throw invalid(
    rules.map(({ field }) => bodyFault(field, 'not_writable', 'is not yours to write')),
  );
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
  const conditions = [read, restore].map((rule) => rule(inSql(viewer)));
  const found = await askOfRow(database, resource, ['restorable'], conditions, { viewer, id });
  if (found?.[0] !== true) throw notFound();
  if (found[1] !== true) throw refusal(viewer);
}

/** Throws 409 for a row that was brought back while what it would be deleted with is still deleted. */
export async function requireAlive(database: Database, resource: Resource, id: Id): Promise<void> {
  const isAlive = all([sql`1 = 1`, ...alive(source(resource))]);
  const found = await askOfRow(database, resource, ['alive'], [isAlive], { viewer: null, id });
  if (found?.[0] !== true) throw belongsToDeleted();
}

import { sql } from 'kysely';
import type { Database } from '../database/client.ts';
import { forUpdate } from '../database/dialect.ts';
import { type Condition, inSql, refuse, type Viewer, type ViewerInSql } from './access.ts';
import { ask, type Asked, asking, askOfRow, holding } from './ask.ts';
import { bodyFault, invalid, notFound, preconditionFailed, Problem, refusal } from './problem.ts';
import { namesRow } from './request.ts';
import type { Id, Resource } from './resource.ts';
import { fromRow, type NewRow, readRow, type RowRequest, shownTo } from './rows.ts';
import { alive, all, readable, source } from './sql.ts';

/** Somebody's attempt to write values into a row. */
export interface Attempt extends Asked {
  readonly input: object;
  /** Which of the policy's ways to change the row admitted the viewer; a new row has none. */
  readonly ways?: readonly number[];
}

/**
 * What is asked before there is a row, and needs no database: throws 401 or 403 for a viewer who may make none of these
 * rows, and 422 that names every value that no viewer of this role may write.
 */
export function requireNewRow(
  resource: Resource,
  { viewer, self }: NewRow<never>,
  input: object,
): void {
  if (self === undefined) refuse(resource.policy.create, viewer);
  const rules = writeRules(resource, self === undefined ? viewer : self(0), input);
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
 * Throws 403 when the row is not one that the viewer may make or, in one of the ways that admitted them before, may leave
 * behind.
 */
export async function requireAllowed(database: Database, attempt: Attempt): Promise<void> {
  const { viewer, ways } = attempt;
  const { changes, create } = attempt.resource.policy;
  const rules = ways?.flatMap((way) => changes[way]?.after ?? []) ?? [create];
  const conditions = rules.map((rule) => rule(inSql(viewer)));
  if (conditions.includes(true)) return;
  const found = await askOfRow(database, attempt, ['allowed', ways], conditions);
  if (found?.includes(true) !== true) throw refusal(viewer);
}

/** Throws 422 that names every value that the viewer may not write in the row. */
export async function requireWritable(database: Database, attempt: Attempt): Promise<void> {
  const rules = writeRules(attempt.resource, attempt.viewer, attempt.input);
  if (rules.length === 0) return;
  const about = ['writable', ...rules.map(({ field }) => field)];
  const conditions = rules.map(({ condition }) => condition);
  const found = await askOfRow(database, attempt, about, conditions);
  refuseFields(rules.filter((_, index) => found?.[index] !== true));
}

/** Both, for values that are not written: only those who may write them learn that another row has them. */
export async function requireProposed(database: Database, attempt: Attempt): Promise<void> {
  const asked = { ...attempt, proposed: attempt.input };
  if (attempt.id === undefined) await requireWritable(database, asked);
  await requireAllowed(database, asked);
}

interface WriteRule {
  readonly field: string;
  readonly condition: Condition;
}

/** What has to hold where the viewer may not simply write what they send. */
function writeRules(
  { policy }: Resource,
  viewer: Viewer | null,
  values: object,
): readonly WriteRule[] {
  const by: ViewerInSql | null = inSql(viewer);
  return Object.entries(values).flatMap(([field, value]) => {
    const condition = policy.fields.get(field)?.write(by) ?? true;
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
 * Throws when a deleted row may not be brought back: 404 when the viewer could not see it if it were there, 403 when they
 * could but the policy does not admit them.
 */
export async function requireRestorable(database: Database, asked: Asked): Promise<void> {
  const { resource, viewer } = asked;
  const { read, restore } = resource.policy;
  refuse(restore, viewer);
  const conditions = [read, restore].map((rule) => rule(inSql(viewer)));
  const found = await askOfRow(database, asked, ['restorable'], conditions);
  if (found?.[0] !== true) throw notFound();
  if (found[1] !== true) throw refusal(viewer);
}

/** Throws 409 for a row that was brought back while what it would be deleted with is still deleted. */
export async function requireAlive(database: Database, asked: Asked): Promise<void> {
  const isAlive = all([sql`1 = 1`, ...alive(source(asked.resource))]);
  const found = await askOfRow(database, asked, ['alive'], [isAlive]);
  const detail = 'This row belongs to one that is deleted: restore that first.';
  if (found?.[0] !== true) throw new Problem(409, 'parent_deleted', detail);
}

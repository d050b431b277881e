import { sql } from 'kysely';
import { afterWrite } from '../after-write.ts';
import type { Database } from '../database/client.ts';
import { among, encodeList } from '../database/dialect.ts';
import { type Violation, violation } from '../database/errors.ts';
import { transaction } from '../database/transaction.ts';
import { isAdmin, system } from './access.ts';
import type { Asked } from './ask.ts';
import {
  type Attempt,
  requireAlive,
  requireAllowed,
  requireChangeable,
  requireNewRow,
  requireProposed,
  requireRestorable,
  requireWritable,
} from './checks.ts';
import { conflict, inUse, invalid, noSuchRow, Problem } from './problem.ts';
import { distinctIds, requireNoCircle, requireReferences } from './references.ts';
import { fieldOf, type Id, type Links, type Resource } from './resource.ts';
import { type Identified, type NewRow, readRow, type RowRequest, type Write } from './rows.ts';
import { column, from, type Sql, source } from './sql.ts';

/**
 * Makes a row, and answers all of it. `insert` writes it, in a transaction, and returns its id. Throws 401 or 403 when the
 * viewer may not make it, 422 for values that are not theirs to write and for keys of rows that they may not see.
 */
export async function creating<Row extends Identified>(
  database: Database,
  resource: Resource<Row>,
  request: NewRow<Row['id']> & { readonly input: object },
  insert: (open: Database) => Promise<Row['id']>,
): Promise<Required<Row>> {
  const { viewer, self, input } = request;
  const attempt = { resource, viewer: self === undefined ? viewer : system, input };
  requireNewRow(resource, request, input);
  const work = async (open: Database) => {
    await requireReferences(open, attempt);
    await requireRights(open, attempt);
    const id = await insert(open);
    const by = self === undefined ? viewer : self(id);
    await requireWritable(open, { ...attempt, id, viewer: by });
    await requireAllowed(open, { ...attempt, id });
    await requireAgreement(open, resource, { id, viewer, input });
    return written(open, resource, id, { operation: 'create', by });
  };
  return writing(database, resource, work, () => attempt);
}

/**
 * Changes a row, and answers all of it. `update` writes the change, in a transaction, and is given the row as it was; it
 * is not called when nothing was sent. Throws 404 when the viewer may not see the row, 403 when they may not change it,
 * before or after, 412 when it is not what they last read, 422 as `creating` does.
 */
export async function updating<Row extends Identified>(
  database: Database,
  resource: Resource<Row>,
  { viewer, self, id, ifMatch, input }: RowRequest<Row['id']> & { readonly input: object },
  update: (open: Database, before: Required<Row>) => Promise<unknown>,
): Promise<Required<Row>> {
  const by = self === undefined ? viewer : self(id);
  const asked = { resource, viewer: self === undefined ? viewer : system, id, ifMatch, input };
  let attempt: Attempt = asked;
  const work = async (open: Database) => {
    const { row: before, ways } = await requireChangeable(open, resource, 'update', asked);
    attempt = { ...asked, ways };
    await requireWritable(open, { ...attempt, viewer: by });
    await requireReferences(open, attempt);
    if (Object.keys(input).length === 0) return before;
    await requireRights(open, attempt);
    await keepingLast(open, asked, () => update(open, before));
    await requireNoCircle(open, attempt);
    await requireAllowed(open, attempt);
    await requireAgreement(open, resource, { id, viewer, input });
    return written(open, resource, id, { operation: 'update', by, before });
  };
  return writing(database, resource, work, () => attempt);
}

/**
 * Deletes a row, or marks it as deleted where the model keeps such rows. `precede` comes before that, in the same
 * transaction, and is given the row. Throws 404, 403 and 412 as `updating` does, and 409 when other rows refer to this one.
 */
export async function deleting<Row extends Identified>(
  database: Database,
  resource: Resource<Row>,
  request: RowRequest<Row['id']>,
  precede: (open: Database, before: Required<Row>) => Promise<unknown> = async () => {},
): Promise<void> {
  const { viewer: by, id } = request;
  await transaction(database, async (open) => {
    const { row: before } = await requireChangeable(open, resource, 'delete', request);
    await precede(open, before);
    const table = sql.table(resource.table);
    const now = new Date().toISOString();
    const removal = resource.softDelete
      ? sql`update ${table} set ${deletedAt(resource)} = ${now} where id = ${id}`
      : sql`delete from ${table} where id = ${id}`;
    await keepingLast(open, { resource, viewer: by, id }, () => removal.execute(open));
    await tell(open, { resource, operation: 'delete', by, before });
  }).catch((error: unknown) => {
    throw violation(error)?.kind === 'foreign_key' ? inUse() : error;
  });
}

/** Brings back a row that was marked as deleted. Throws 404 and 403 as `deleting` does, and 409 when it is not deleted. */
export async function restoring<Row extends Identified>(
  database: Database,
  resource: Resource<Row>,
  { viewer: by, id }: RowRequest<Row['id']>,
): Promise<Required<Row>> {
  const asked = { resource, viewer: by, id };
  return writing(database, resource, async (open) => {
    await requireRestorable(open, asked);
    const before = await readRow(open, resource, id);
    const at = deletedAt(resource);
    const rows = sql`update ${sql.table(resource.table)} set ${at} = null where id = ${id}`;
    const { numAffectedRows } = await sql`${rows} and ${at} is not null`.execute(open);
    if (numAffectedRows === 0n) throw new Problem(409, 'not_deleted', 'This row is not deleted.');
    await requireAlive(open, asked);
    return written(open, resource, id, { operation: 'restore', by, before });
  });
}

/** Answers all of a row that was written, once everybody who listens has heard of it. */
export async function written<Row extends Identified>(
  open: Database,
  resource: Resource<Row>,
  id: Row['id'],
  done: Pick<Write, 'operation' | 'by' | 'before'>,
): Promise<Required<Row>> {
  const after = await readRow(open, resource, id);
  await tell(open, { ...done, resource, after });
  return after;
}

/** What the server writes itself may have keys that do not agree. */
async function requireAgreement<Row extends Identified>(
  open: Database,
  resource: Resource<Row>,
  { id, viewer, input }: RowRequest<Row['id']> & { readonly input: object },
): Promise<void> {
  const { agreement } = resource.policy;
  if (agreement === undefined || viewer?.id === system.id) return;
  await agreement(open, resource, await readRow(open, resource, id), input);
}

async function tell(open: Database, done: Write): Promise<void> {
  for (const listener of afterWrite) await listener(open, done);
}

function deletedAt(resource: Resource): Sql {
  const name = String(resource.softDelete);
  return sql.ref(fieldOf(resource, name).column ?? name);
}

/** What makes a member is asked before it is there, or it would admit whoever writes it. */
async function requireRights(open: Database, attempt: Attempt): Promise<void> {
  if (attempt.resource.policy.gives.length > 0) await requireProposed(open, attempt);
}

/** Changes or deletes a row, which has to leave those members who have to stay. Admins may leave nobody. */
async function keepingLast(
  open: Database,
  { resource: { policy }, viewer, id }: Asked & Identified,
  change: () => Promise<unknown>,
): Promise<void> {
  const checks: (() => Promise<void>)[] = [];
  for (const kind of isAdmin(viewer) ? [] : policy.gives)
    checks.push(await kind().keepLast(open, id));
  await change();
  for (const check of checks) await check();
}

/** Makes the links of a row what the ids say, and leaves those alone that are so already; without ids, all of them. */
export async function setLinks(
  database: Database,
  links: Links,
  { id, ids }: { readonly id: Id; readonly ids: readonly Id[] | undefined },
): Promise<void> {
  if (ids === undefined) return;
  const idField = fieldOf(links.to(), 'id');
  const list = sql.val(encodeList(distinctIds(links, ids), idField));
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

/**
 * Does the work in a transaction; what the database refuses becomes the answer that names the fields, for those who may
 * write what was `proposed`.
 */
async function writing<Result>(
  database: Database,
  resource: Resource,
  work: (open: Database) => Promise<Result>,
  proposed?: () => Attempt,
): Promise<Result> {
  return transaction(database, work).catch(async (error: unknown) => {
    const refused = violation(error);
    if (refused?.kind === 'unique') {
      // In a transaction around this one, PostgreSQL answers nothing any more.
      if (proposed && !database.isTransaction) await requireProposed(database, proposed());
      throw conflict(uniqueFields(resource, refused));
    }
    // A row that was there when it was looked for, and went away.
    if (refused?.kind === 'foreign_key')
      throw invalid([{ loc: ['body'], pointer: '#', code: 'not_found', msg: noSuchRow }]);
    throw error;
  });
}

/** Those that a client can change, if there are any. PostgreSQL names the constraint, SQLite its columns. */
function uniqueFields(
  { unique = {}, fields }: Resource,
  { constraint, columns = [] }: Extract<Violation, { kind: 'unique' }>,
): readonly string[] {
  // A field that is never shown is not among them.
  const nameOf = (stored: string) =>
    Object.keys(fields).find((name) => (fields[name]?.column ?? name) === stored) ?? stored;
  // Of a primary key, PostgreSQL makes up the name.
  const all = constraint === undefined ? columns.map(nameOf) : (unique[constraint] ?? ['id']);
  const sent = all.filter((name) => fields[name]?.set !== 'server');
  return sent.length === 0 ? all : sent;
}

import { sql } from 'kysely';
import { afterWrite } from '../after-write.ts';
import type { Database } from '../database/client.ts';
import { among, encodeList } from '../database/dialect.ts';
import { type Violation, violation } from '../database/errors.ts';
import { transaction } from '../database/transaction.ts';
import { isAdmin, system, type Viewer } from './access.ts';
import {
  requireAlive,
  requireAllowed,
  requireChangeable,
  requireCreator,
  requireRestorable,
  requireRole,
  requireWritable,
} from './checks.ts';
import { conflict, inUse, missingRow, notDeleted } from './problem.ts';
import { distinctIds, requireNoCircle, requireReferences } from './references.ts';
import { fieldOf, type Id, type Links, type Resource } from './resource.ts';
import { type NewRow, readRow, type RowRequest, type Write } from './rows.ts';
import { column, from, type Sql, source } from './sql.ts';
import { type Attempt, requireAllowedValues } from './taken.ts';

interface Identified {
  readonly id: Id;
}

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
  const ruled = self === undefined ? viewer : system;
  requireNewRow(resource, request, input);
  const work = async (open: Database) => {
    await requireReferences(open, resource, ruled, input);
    // What makes a member is asked before it is there, or it would admit whoever writes it.
    if (givesRights(resource)) await requireAllowedValues(open, resource, input, { viewer: ruled });
    const id = await insert(open);
    const by = self === undefined ? viewer : self(id);
    await requireWritable(open, resource, { viewer: by, id }, input);
    await requireAllowed(open, resource, { viewer: ruled, id });
    await requireAgreement(open, resource, { viewer, id }, input);
    return written(open, resource, id, { operation: 'create', by });
  };
  return write(database, resource, work, async () => {
    if (self === undefined) await requireAllowedValues(database, resource, input, { viewer });
  });
}

/** What `creating` asks first, for a row that takes an effort to make: it needs no database. */
export function requireNewRow(
  resource: Resource,
  { viewer, self }: NewRow<never>,
  input: object,
): void {
  if (self === undefined) requireCreator(resource, viewer);
  requireRole(resource, self === undefined ? viewer : self(0), input);
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
  const ruled = self === undefined ? viewer : system;
  const by = self === undefined ? viewer : self(id);
  let tried: Attempt | undefined;
  const work = async (open: Database) => {
    const asked = { viewer: ruled, id, ifMatch };
    const { row: before, ways } = await requireChangeable(open, resource, 'update', asked);
    tried = { viewer: ruled, id, ways };
    await requireWritable(open, resource, { viewer: by, id }, input);
    await requireReferences(open, resource, ruled, input);
    if (Object.keys(input).length === 0) return before;
    if (givesRights(resource)) await requireAllowedValues(open, resource, input, tried);
    const requireLast = await keepLast(open, resource, asked);
    await update(open, before);
    await requireLast();
    await requireNoCircle(open, resource, id, input);
    await requireAllowed(open, resource, { viewer: ruled, id, ways });
    await requireAgreement(open, resource, { viewer, id }, input);
    return written(open, resource, id, { operation: 'update', by, before });
  };
  return write(database, resource, work, async () => {
    if (tried !== undefined) await requireAllowedValues(database, resource, input, tried);
  });
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
    const requireLast = await keepLast(open, resource, request);
    const table = sql.table(resource.table);
    const now = new Date().toISOString();
    const removal = resource.softDelete
      ? sql`update ${table} set ${deletedAt(resource)} = ${now} where id = ${id}`
      : sql`delete from ${table} where id = ${id}`;
    await removal.execute(open);
    await requireLast();
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
  return write(database, resource, async (open) => {
    await requireRestorable(open, resource, { viewer: by, id });
    const before = await readRow(open, resource, id);
    const at = deletedAt(resource);
    const { numAffectedRows } =
      await sql`update ${sql.table(resource.table)} set ${at} = null where id = ${id} and ${at} is not null`.execute(
        open,
      );
    if (numAffectedRows === 0n) throw notDeleted();
    await requireAlive(open, resource, id);
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

/** Of the row as it has become; what the server writes itself may have keys that do not agree. */
async function requireAgreement<Row extends Identified>(
  open: Database,
  resource: Resource<Row>,
  { viewer, id }: RowRequest<Row['id']>,
  input: object,
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

const givesRights = ({ policy }: Resource) => policy.gives.length > 0;

/** Called before somebody's row is changed or deleted; what it returns, afterwards. Admins may leave nobody. */
async function keepLast(
  open: Database,
  { policy }: Resource,
  { viewer, id }: { readonly viewer: Viewer | null; readonly id: Id },
): Promise<() => Promise<void>> {
  const left: (() => Promise<void>)[] = [];
  for (const kind of isAdmin(viewer) ? [] : policy.gives)
    left.push(await kind().keepLast(open, id));
  return async () => {
    for (const check of left) await check();
  };
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
 * Does the work in a transaction; what the database refuses becomes the answer that names the fields. `checkValues` throws for
 * those who may not know what is taken.
 */
async function write<Result>(
  database: Database,
  resource: Resource,
  work: (open: Database) => Promise<Result>,
  checkValues: () => Promise<void> = async () => {},
): Promise<Result> {
  return transaction(database, work).catch(async (error: unknown) => {
    const refused = violation(error);
    if (refused?.kind === 'unique') {
      // In a transaction around this one, PostgreSQL answers nothing any more.
      if (!database.isTransaction) await checkValues();
      throw conflict(uniqueFields(resource, refused));
    }
    throw refused?.kind === 'foreign_key' ? missingRow() : error;
  });
}

/** Those that a client can change, if there are any. */
function uniqueFields(
  resource: Resource,
  refused: Extract<Violation, { kind: 'unique' }>,
): readonly string[] {
  const all = constrainedFields(resource, refused);
  const sent = all.filter((name) => resource.fields[name]?.set !== 'server');
  return sent.length === 0 ? all : sent;
}

/** PostgreSQL names the constraint, SQLite its columns. */
function constrainedFields(
  { unique, fields }: Resource,
  { constraint, columns = [] }: Extract<Violation, { kind: 'unique' }>,
): readonly string[] {
  // Of a primary key, PostgreSQL makes up the name.
  if (constraint !== undefined) return unique[constraint] ?? ['id'];
  // A field that is never shown is not among them.
  const nameOf = (stored: string) =>
    Object.keys(fields).find((name) => (fields[name]?.column ?? name) === stored) ?? stored;
  return columns.map(nameOf);
}

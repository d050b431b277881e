import type { Database } from '../database/client.ts';
import { type Violation, violation } from '../database/dialect.ts';
import { transaction } from '../database/transaction.ts';
import { conflict, inUse, missingRow } from './problem.ts';
import type { Resource } from './resource.ts';

/** Does the work in a transaction; what the database refuses becomes the answer that names the fields. */
export async function write<Result>(
  database: Database,
  resource: Resource,
  work: (open: Database) => Promise<Result>,
): Promise<Result> {
  return transaction(database, work).catch((error: unknown) => {
    const refused = violation(error);
    if (refused?.kind === 'unique') throw conflict(uniqueFields(resource, refused));
    throw refused?.kind === 'foreign_key' ? missingRow() : error;
  });
}

/** The same for a row that goes, which others may refer to. */
export async function erase(
  database: Database,
  work: (open: Database) => Promise<unknown>,
): Promise<void> {
  await transaction(database, work).catch((error: unknown) => {
    throw violation(error)?.kind === 'foreign_key' ? inUse() : error;
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
  if (constraint !== undefined) return unique[constraint] ?? [];
  const nameOf = (column: string) =>
    Object.keys(fields).find((name) => (fields[name]?.column ?? name) === column);
  return columns.flatMap((column) => nameOf(column) ?? []);
}

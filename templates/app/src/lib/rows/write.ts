import type { Database } from '../../database/client.ts';
import { type Violation, violation } from '../../database/errors.ts';
import { transaction } from '../../database/transaction.ts';
import { conflict, inUse, type Problem } from '../problem.ts';
import type { Resource } from '../resource.ts';
import { missingReferences, referencesIn } from './references.ts';
import type { RowValues } from './values.ts';

interface Write {
  readonly resource: Resource;
  /** Nothing when a row is deleted. */
  readonly values?: RowValues;
}

/** Does the work in a transaction; what the database refuses becomes the answer that names the fields. */
export async function write<Result>(
  database: Database,
  { resource, values }: Write,
  work: (open: Database) => Promise<Result>,
): Promise<Result> {
  try {
    return await transaction(database, work);
  } catch (error) {
    const refused = violation(error);
    if (refused?.kind === 'unique') throw conflict(uniqueFields(resource, refused));
    if (refused?.kind === 'foreign_key') throw values ? brokenReference(resource, values) : inUse();
    throw error;
  }
}

/** PostgreSQL names the constraint, SQLite its columns. */
function uniqueFields(
  { unique, fields }: Resource,
  { constraint, columns = [] }: Extract<Violation, { kind: 'unique' }>,
): readonly string[] {
  if (constraint !== undefined) return unique[constraint] ?? [];
  const nameOf = (column: string) =>
    Object.keys(fields).find((name) => (fields[name]?.column ?? name) === column);
  return columns.flatMap((column) => nameOf(column) ?? []);
}

/** The row was there when it was looked for, and went away. */
function brokenReference(resource: Resource, values: RowValues): Problem {
  return missingReferences(referencesIn(resource, values).map(({ field }) => field));
}

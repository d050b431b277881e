import { type Database, type Reader, readerOf } from '../database/client.ts';
import { isAdmin, satisfies, type Viewer } from './access.ts';
import type { Id } from './ids.ts';
import { refusal } from './problem.ts';
import type { Resource } from './resource.ts';
import { requireChangeable } from './rows/changeable.ts';
import { insertColumns, removeRow, updateColumns } from './rows/columns.ts';
import { setLinks } from './rows/links.ts';
import { getRow, readRow, selectionOf } from './rows/read-row.ts';
import { requireReferences } from './rows/references.ts';
import { type RowValues, withChangeTime, withDefaults } from './rows/values.ts';
import { write } from './rows/write.ts';

export interface RowRequest {
  readonly viewer: Viewer | null;
  readonly id: Id;
  /** What the parameter `fields` says: which fields of the row to answer. */
  readonly selection?: string | undefined;
  /** What the header `If-Match` says. */
  readonly ifMatch?: string | undefined;
}

export interface NewRow<Values extends object> {
  readonly viewer: Viewer | null;
  readonly values: Values;
  readonly selection?: string | undefined;
}

export interface RowChange<Values extends object> extends RowRequest {
  /** A field that is absent stays as it is. */
  readonly values: Partial<Values>;
}

/** The row, when there is one that the viewer may read. */
export async function findRow<Row>(
  reader: Reader,
  resource: Resource,
  { viewer, id, selection }: RowRequest,
): Promise<Row | undefined> {
  if (viewer === null && resource.policy.read(null) === false) throw refusal(null);
  return readRow<Row>(reader, resource, {
    viewer,
    id,
    selection: selectionOf(resource, selection),
  });
}

/** Throws 403 where the policy says so, 409 for values that another row has, 422 for keys of rows that are not there. */
export async function insertRow<Row>(
  database: Database,
  resource: Resource,
  { viewer, values: given, selection: fields }: NewRow<object>,
): Promise<Row> {
  const values: RowValues = { ...given };
  const row = withDefaults(resource, values);
  if (!satisfies(row, resource.policy.create(viewer))) throw refusal(viewer);
  const selection = selectionOf(resource, fields);
  return write(database, { resource, values }, async (open) => {
    await requireReferences(open, resource, values);
    const id = await insertColumns(open, resource, row);
    await setLinks(open, { resource, id }, values);
    return getRow<Row>(readerOf(open), resource, { viewer, selection, id });
  });
}

/** Besides: 404 for a row that the viewer may not see, 403 for one that he may not change, 412. */
export async function updateRow<Row>(
  database: Database,
  resource: Resource,
  { values: given, selection: fields, ...request }: RowChange<object>,
): Promise<Row> {
  const values: RowValues = { ...given };
  const selection = selectionOf(resource, fields);
  return write(database, { resource, values }, async (open) => {
    await requireChangeable(open, resource, {
      ...request,
      selection,
      rule: resource.policy.update,
    });
    await requireReferences(open, resource, values);
    const changed = { resource, id: request.id };
    await updateColumns(open, changed, withChangeTime(resource, values));
    await setLinks(open, changed, values);
    return getRow<Row>(readerOf(open), resource, { ...request, selection });
  });
}

/** Throws 404, 403 and 412 as `updateRow` does, and 409 when other rows refer to this one. */
export async function deleteRow(
  database: Database,
  resource: Resource,
  { selection: fields, ...request }: RowRequest,
): Promise<void> {
  const selection = selectionOf(resource, fields);
  await write(database, { resource }, async (open) => {
    await requireChangeable(open, resource, {
      ...request,
      selection,
      rule: resource.policy.delete,
    });
    await removeRow(open, resource, request.id);
  });
}

/** Brings a deleted row back. Throws 409 when its unique values were taken meanwhile. */
export async function restoreRow<Row>(
  database: Database,
  resource: Resource,
  { viewer, id, selection: fields }: RowRequest,
): Promise<Row> {
  if (!isAdmin(viewer)) throw refusal(viewer);
  const selection = selectionOf(resource, fields);
  return write(database, { resource, values: {} }, async (open) => {
    await updateColumns(open, { resource, id }, { deleted_at: null });
    return getRow<Row>(readerOf(open), resource, { viewer, id, selection });
  });
}

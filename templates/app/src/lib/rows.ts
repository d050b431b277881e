import { type Database, type Reader, readerOf } from '../database/client.ts';
import { isAdmin, satisfies, type Viewer } from './access.ts';
import type { Id } from './ids.ts';
import { refusal } from './problem.ts';
import type { Resource } from './resource.ts';
import { requireChangeable } from './rows/changeable.ts';
import { insertColumns, removeRow, updateColumns } from './rows/columns.ts';
import { setLinks } from './rows/links.ts';
import { rowFinder, rowGetter } from './rows/read-row.ts';
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
  request: RowRequest,
): Promise<Row | undefined> {
  const { viewer, id } = request;
  if (viewer === null && resource.policy.read(null) === false) throw refusal(viewer);
  return rowFinder<Row>(resource, request)(reader, id);
}

/** Throws 403 where the policy says so, 409 for values that another row has, 422 for keys of rows that are not there. */
export async function insertRow<Row>(
  database: Database,
  resource: Resource,
  request: NewRow<object>,
): Promise<Row> {
  const values: RowValues = { ...request.values };
  const row = withDefaults(resource, values);
  if (!satisfies(row, resource.policy.create(request.viewer))) throw refusal(request.viewer);
  const getRow = rowGetter<Row>(resource, request);
  return write(database, { resource, values }, async (open) => {
    await requireReferences(open, resource, values);
    const id = await insertColumns(open, resource, row);
    await setLinks(open, { resource, id }, values);
    return getRow(readerOf(open), id);
  });
}

/** Besides: 404 for a row that the viewer may not see, 403 for one that he may not change, 412. */
export async function updateRow<Row>(
  database: Database,
  resource: Resource,
  request: RowChange<object>,
): Promise<Row> {
  const { id } = request;
  const values: RowValues = { ...request.values };
  const getRow = rowGetter<Row>(resource, request);
  return write(database, { resource, values }, async (open) => {
    await requireChangeable(open, resource, { ...request, rule: resource.policy.update });
    await requireReferences(open, resource, values);
    await updateColumns(open, { resource, id }, withChangeTime(resource, values));
    await setLinks(open, { resource, id }, values);
    return getRow(readerOf(open), id);
  });
}

/** Throws 404, 403 and 412 as `updateRow` does, and 409 when other rows refer to this one. */
export async function deleteRow(
  database: Database,
  resource: Resource,
  request: RowRequest,
): Promise<void> {
  await write(database, { resource }, async (open) => {
    await requireChangeable(open, resource, { ...request, rule: resource.policy.delete });
    await removeRow(open, resource, request.id);
  });
}

/** Brings a deleted row back. Throws 409 when its unique values were taken meanwhile. */
export async function restoreRow<Row>(
  database: Database,
  resource: Resource,
  request: RowRequest,
): Promise<Row> {
  const { viewer, id } = request;
  if (!isAdmin(viewer)) throw refusal(viewer);
  const getRow = rowGetter<Row>(resource, request);
  return write(database, { resource, values: {} }, async (open) => {
    await updateColumns(open, { resource, id }, { deleted_at: null });
    return getRow(readerOf(open), id);
  });
}

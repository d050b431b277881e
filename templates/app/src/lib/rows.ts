import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Database } from '../database/client.ts';
import { keptStatements } from '../database/slot.ts';
import type { Tables } from '../database/tables.ts';
import { inSql, refuse, type Requester, system, type Viewer, type ViewerInSql } from './access.ts';
import { evaluateOnRow, type RowContext } from './evaluate.ts';
import { notFound } from './problem.ts';
import { type Id, type Resource, seesWholeRows } from './resource.ts';
import { rowJson } from './row-json.ts';
import { type Selection, wholeRow } from './selection.ts';
import { all, column, fromRow, idSlot, readable, source } from './sql.ts';
import { narrowed, type OwnRows, rowsOf } from './table-rows.ts';

/** Who creates a row. */
export interface NewRow<RowId = Id> extends Requester {
  /** For users who write their own row, whatever the policy says. The id is 0 as long as there is no row. */
  readonly self?: (id: RowId | 0) => Viewer;
}

/** Who asks for a row, and which. */
export interface RowRequest<RowId = Id> extends NewRow<RowId> {
  readonly id: RowId;
  /** The header `If-Match`. */
  readonly ifMatch?: string | undefined;
}

export interface Identified {
  readonly id: Id;
}

/** A write of a row: the whole row before and after, whatever the writer may see of it. */
export interface Write<Row extends Identified = Identified> {
  readonly resource: Resource;
  readonly operation: 'create' | 'update' | 'delete' | 'restore';
  /** `null` when nobody was logged in. */
  readonly by: Viewer | null;
  readonly before?: Required<Row>;
  readonly after?: Required<Row>;
}

/** Whether a row of this model was written: `if (isWriteOf(done, posts))` gives `done.after` the type of a post. */
export function isWriteOf<Row extends Identified>(
  done: Write,
  resource: Resource<Row>,
): done is Write<Row> {
  return done.resource.name === resource.name;
}

/** Called in the transaction of the write, which is rolled back when it throws. */
export type AfterWrite = (open: Database, done: Write) => Promise<void>;

/**
 * Finds a row if the viewer may read it. It returns the whole row, which is cut to what they may see when it is sent.
 * `rows` adds conditions of your own; it is called once for each role, never with anything that one viewer alone has.
 */
export function defineFind<
  Row extends Identified,
  Table extends keyof Tables,
  Joined extends keyof Tables = Table,
>(
  resource: Resource<Row> & { readonly table: Table },
  {
    rows,
  }: { readonly rows?: OwnRows<Table, Joined, { readonly viewer: ViewerInSql | null }> } = {},
) {
  const run = keptStatements<{ readonly item: string }>();
  const about = source(resource);
  const item = () => sql<string>`${rowJson(about, wholeRow(resource), inSql(system))}`.as('item');

  return async (
    database: Database,
    { viewer, client, id }: RowRequest<Row['id']>,
  ): Promise<Required<Row> | undefined> => {
    // A visitor without an account is refused; to anybody else, a row that they may not read does not exist.
    if (viewer === null) refuse(resource.policy.read, viewer);
    const viewerInSql = inSql(viewer);
    const build = () => {
      const isRow = sql`${column(about, 'id')} = ${idSlot}`;
      const found = rowsOf(database, resource.table).where(
        all([isRow, ...readable(about, viewerInSql)]),
      );
      return narrowed(found, rows, { viewer: viewerInSql }).select(item());
    };
    const [found] = await run(database, String(viewer?.role), build, { client, viewer, id });
    return found && JSON.parse(found.item);
  };
}

/** The whole row, whoever asks; throws 404 when there is none. */
export async function readRow<Row extends Identified>(
  database: Database,
  resource: Resource<Row>,
  id: Row['id'],
): Promise<Required<Row>> {
  return selectRow(database, resource, { viewer: system, id });
}

/** What a viewer is shown of a row that they may see or have written. */
export async function shownTo<Row extends Identified>(
  database: Database,
  resource: Resource<Row>,
  { row, ...reader }: Reader & { readonly row: Row },
): Promise<Row> {
  if (seesWholeRows(resource, inSql(reader.viewer))) return row;
  return selectRow(database, resource, { ...reader, id: row.id });
}

/** The same, and what a viewer has asked for of it, if they have. */
export async function viewOf<Row extends Identified>(
  database: Database,
  resource: Resource<Row>,
  { selection, ...asked }: Asked<Row>,
) {
  const shown = await shownTo(database, resource, asked);
  const { id } = asked.row;
  const selected =
    selection && (await selectRow<object>(database, resource, { ...asked, id, selection }));
  return { shown, selected };
}

/** Whether the policy lets a viewer read a row that is there. */
export async function canRead(database: Database, context: RowContext): Promise<boolean> {
  const condition = context.resource.policy.read(inSql(context.viewer));
  if (typeof condition === 'boolean') return condition;
  const found = await evaluateOnRow(database, context, ['readable'], [condition]);
  return found?.[0] === true;
}

interface Reader extends Requester {
  /** Whether they only read: then the row has to be one that they may read when it is shown. */
  readonly isReading?: boolean;
  /**
   * The row as the viewer wrote it. They may see that version even if they cannot read the row; a later version only if
   * they can.
   */
  readonly written?: Identified;
}

interface Asked<Row> extends Reader {
  readonly row: Row;
  /** The part that they want, if it is not all. */
  readonly selection: Selection | undefined;
}

interface Selected extends Reader {
  readonly id: Id;
  readonly selection?: Selection;
}

const runSelect = keptStatements<Found>();

interface Found {
  readonly item: string;
  /** Given where the viewer has written the row. */
  readonly whole?: string;
  readonly isReadable?: unknown;
}

/** The JSON of a row that the viewer may see or has written, cut to what is shown to them. */
export async function selectRow<Part extends object>(
  database: Database,
  resource: Resource,
  { viewer, client, id, isReading = false, written, selection = wholeRow(resource) }: Selected,
): Promise<Part> {
  const build = () => {
    const [rows, by] = [source(resource), inSql(viewer)];
    const item = rowJson(rows, selection, by);
    const seen = readable(rows, by);
    if (written === undefined)
      return sql<Found>`select ${item} as item${fromRow(resource, isReading ? seen : [])}`;
    const whole = rowJson(rows, wholeRow(resource), inSql(system));
    return sql<Found>`select ${item} as item, ${whole} as whole, ${all(seen)} as "isReadable"${fromRow(resource)}`;
  };
  const key = JSON.stringify([
    resource.name,
    viewer?.role,
    isReading,
    written && 'written',
    selection,
  ]);
  const [found] = await runSelect(database, key, build, { client, viewer, id });
  if (found === undefined || wasChangedByOthers(found, written)) throw notFound();
  return JSON.parse(found.item);
}

/** True if the viewer cannot read the row and it has changed since they wrote it. */
function wasChangedByOthers(
  { whole, isReadable }: Found,
  written: Identified | undefined,
): boolean {
  if (whole === undefined || Number(isReadable) === 1) return false;
  return !isDeepStrictEqual(JSON.parse(whole), written);
}

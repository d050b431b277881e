import type { Reader } from '../../database/client.ts';
import type { Viewer } from '../access.ts';
import type { Id } from '../ids.ts';
import { type Fault, invalid, notFound, queryFault } from '../problem.ts';
import type { Resource } from '../resource.ts';
import { parseSelection, type Selection, wholeRow } from '../selection.ts';
import { from, readable, source } from '../sql/conditions.ts';
import { rowJson } from '../sql/row.ts';
import { sql, type Sql, where } from '../sql/sql.ts';
import { statementOf } from '../sql/statement.ts';
import { hasId } from './columns.ts';

interface Look {
  readonly viewer: Viewer | null;
  readonly id: Id;
  readonly selection: Selection;
}

/** The row, if the viewer may read it. */
export async function readRow<Row>(
  reader: Reader,
  resource: Resource,
  look: Look,
): Promise<Row | undefined> {
  return select(reader, resource, { ...look, conditions: readable(source(resource), look.viewer) });
}

/** The row for one who was admitted to it already. */
export async function getRow<Row>(reader: Reader, resource: Resource, look: Look): Promise<Row> {
  const row = await select<Row>(reader, resource, { ...look, conditions: [] });
  if (row === undefined) throw notFound();
  return row;
}

async function select<Row>(
  reader: Reader,
  resource: Resource,
  { viewer, id, selection, conditions }: Look & { readonly conditions: readonly Sql[] },
): Promise<Row | undefined> {
  const rows = source(resource);
  const item = rowJson(rows, selection, viewer);
  const { text, parameters } = statementOf(
    sql`select ${item} as item from ${from(rows)}${where([hasId(rows, id), ...conditions])}`,
  );
  const [found] = await reader.read(text, parameters);
  return found && JSON.parse(String(found['item']));
}

/** Reads the parameter `fields`; without it, the whole row. */
export function selectionOf(resource: Resource, text: string | undefined): Selection {
  if (text === undefined) return wholeRow(resource);
  const faults: Fault[] = [];
  const selection = parseSelection(resource, text, (code, msg) =>
    faults.push(queryFault('fields', code, msg)),
  );
  if (faults.length > 0) throw invalid(faults);
  return selection;
}

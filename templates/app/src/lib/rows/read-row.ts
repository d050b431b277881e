import type { Reader } from '../../database/client.ts';
import type { Rule, Viewer } from '../access.ts';
import { encode } from '../dialect.ts';
import type { Id } from '../ids.ts';
import { type Fault, invalid, notFound, queryFault } from '../problem.ts';
import { fieldOf, type Resource } from '../resource.ts';
import { selectionRules } from '../rules.ts';
import { parseSelection, type Selection, wholeRow } from '../selection.ts';
import { from, readable, source } from '../sql/conditions.ts';
import { rowJson } from '../sql/row.ts';
import { sql, type Sql, where } from '../sql/sql.ts';
import { type Statement, statementOf } from '../sql/statement.ts';
import { statementMemory } from '../statement-memory.ts';
import { hasId } from './columns.ts';

interface Look {
  readonly viewer: Viewer | null;
  /** What the parameter `fields` says; without it, the whole row. */
  readonly selection?: string | undefined;
}

/** Reads the row with an id, if the viewer may read it. Throws 422 for a selection that makes no sense. */
export function rowFinder<Row>(resource: Resource, look: Look) {
  const statement = readableRow(resource, asked(resource, look)).statement;
  return (reader: Reader, id: Id) => read<Row>(reader, statement, encodedId(resource, id));
}

/** The same for a viewer who was admitted to the row already. */
export function rowGetter<Row>(resource: Resource, look: Look) {
  const statement = anyRow(resource, asked(resource, look)).statement;
  return async (reader: Reader, id: Id): Promise<Row> => {
    const row = await read<Row>(reader, statement, encodedId(resource, id));
    if (row === undefined) throw notFound();
    return row;
  };
}

interface RowPlan {
  readonly resource: Resource;
  readonly selection: Selection;
}

const readableRow = statementMemory<RowPlan, Statement>({
  rulesOf: (plan) => [plan.resource.policy.read, ...rulesOf(plan)],
  compile: (plan, viewer) => rowStatement(plan, viewer, readable(source(plan.resource), viewer)),
});

const anyRow = statementMemory<RowPlan, Statement>({
  rulesOf,
  compile: (plan, viewer) => rowStatement(plan, viewer, []),
});

function rulesOf({ resource, selection }: RowPlan): readonly Rule[] {
  return selectionRules(resource, selection);
}

/** Its last parameter is the id. */
function rowStatement(
  { resource, selection }: RowPlan,
  viewer: Viewer | null,
  conditions: readonly Sql[],
): Statement {
  const rows = source(resource);
  const item = rowJson(rows, selection, viewer);
  const found = where([...conditions, hasId(rows, '')]);
  return statementOf(sql`select ${item} as item from ${from(rows)}${found}`);
}

async function read<Row>(
  reader: Reader,
  { text, parameters }: Statement,
  id: unknown,
): Promise<Row | undefined> {
  const [found] = await reader.read(text, [...parameters.slice(0, -1), id]);
  return found && JSON.parse(String(found['item']));
}

function encodedId(resource: Resource, id: Id): unknown {
  return encode(id, fieldOf(resource, 'id'));
}

function asked(resource: Resource, { viewer, selection }: Look) {
  const text = selection === undefined ? '' : `fields=${selection}`;
  return { viewer, text, parse: () => ({ resource, selection: selectionOf(resource, selection) }) };
}

function selectionOf(resource: Resource, text: string | undefined): Selection {
  if (text === undefined) return wholeRow(resource);
  const faults: Fault[] = [];
  const selection = parseSelection(resource, text, (code, msg) =>
    faults.push(queryFault('fields', code, msg)),
  );
  if (faults.length > 0) throw invalid(faults);
  return selection;
}

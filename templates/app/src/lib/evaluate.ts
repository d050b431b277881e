import { sql } from 'kysely';
import type { Database } from '../database/client.ts';
import { encode, forUpdate } from '../database/dialect.ts';
import { type Bindings, type Compilable, keptStatements } from '../database/slot.ts';
import type { Condition, Requester } from './access.ts';
import type { Id, Resource } from './resource.ts';
import { admitted, all, column, from, fromRow, operandSlot, source, type Sql } from './sql.ts';

/** A row, stored or proposed, and for whom conditions on it are evaluated. */
export interface RowContext extends Requester {
  readonly resource: Resource;
  /** Absent for a row that does not exist yet. */
  readonly id?: Id | undefined;
  /** What is about to be written: the conditions are evaluated for the row as it would be then. */
  readonly proposed?: object;
  /** Whether the stored row is locked. */
  readonly isLocked?: boolean;
}

/**
 * Whether each of the conditions holds of a row; undefined where there is no such row. `purpose` names the conditions:
 * with the resource and the viewer's role, it decides which they are.
 */
export async function evaluateOnRow(
  database: Database,
  context: RowContext,
  purpose: readonly unknown[],
  conditions: readonly Condition[],
): Promise<readonly boolean[] | undefined> {
  const { resource, viewer, proposed } = context;
  const { key, rows, operands } =
    proposed === undefined ? storedRow(context) : proposedRow(context, proposed);
  const there = source(resource);
  const build = () =>
    selectConditions(
      conditions.map((condition) => all(admitted(there, condition))),
      rows(),
    );
  const statement = [resource.name, viewer?.role, purpose, key];
  return evaluate(database, statement, build, { ...context, operands });
}

/** Whether each of the conditions that `build` selects holds; undefined where it finds no row. `key` names the statement. */
export async function evaluate(
  database: Database,
  key: readonly unknown[],
  build: () => Compilable<object>,
  bindings: Bindings,
): Promise<readonly boolean[] | undefined> {
  const [found] = await run(database, JSON.stringify(key), build, bindings);
  return found && Object.values(found).map((each) => Number(each) === 1);
}

const run = keptStatements<object>();

/** `select … as "r0", … as "r1"`: each column of a result needs a name of its own. */
export function selectConditions(
  conditions: readonly Sql[],
  rows: Sql = sql``,
): Compilable<object> {
  const columns = conditions.map((each, index) => sql`${each} as ${sql.ref(`r${index}`)}`);
  return sql<object>`select ${sql.join(columns)}${rows}`;
}

const storedRow = ({ resource, isLocked }: RowContext) => ({
  key: isLocked ? 'locked' : 'stored',
  rows: () => (isLocked ? sql`${fromRow(resource)}${forUpdate}` : fromRow(resource)),
  operands: [],
});

/** Other columns are as they are stored or, for a new row, as they will be filled in. */
function proposedRow({ resource, id }: RowContext, proposed: object) {
  const own = Object.entries(resource.fields).filter(([, { computed }]) => !computed);
  const given = new Map<string, unknown>(Object.entries(proposed));
  const made = new Map<string, unknown>(Object.entries(resource.defaults?.() ?? {}));
  const isBound = own.map(([name]) => id === undefined || given.get(name) !== undefined);
  const operands = own.map(([name, field]) => {
    const initial = made.get(field.column ?? name) ?? field.default;
    return encode(given.get(name) === undefined ? initial : given.get(name), field);
  });
  const rows = () => {
    const there = source(resource);
    const columns = own.map(([name]) => column(there, name));
    const values = columns.map((stored, index) =>
      isBound[index] === true ? operandSlot(index) : stored,
    );
    // Under the name of the table, which rules use; the first half gives the columns their types.
    const typed = sql`select ${sql.join(columns)} from ${from(there)} where 1 = 0`;
    const row = sql`select ${sql.join(values)}${id === undefined ? sql`` : fromRow(resource)}`;
    return sql` from (${typed} union all ${row}) as ${sql.table(there.alias)}`;
  };
  return { key: [id === undefined, ...isBound], rows, operands };
}

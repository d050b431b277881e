import { sql } from 'kysely';
import type { Database } from '../database/client.ts';
import { encode } from '../database/dialect.ts';
import { type Bindings, type Compilable, keptStatements, slot } from '../database/slot.ts';
import type { Condition } from './access.ts';
import type { Requester } from './list.ts';
import type { Id, Resource } from './resource.ts';
import { fromRow } from './rows.ts';
import { admitted, all, column, from, source, type Sql } from './sql.ts';

/** Who asks, and about which row. */
export interface Asked extends Requester {
  readonly resource: Resource;
  /** Absent for a row that does not exist yet. */
  readonly id?: Id | undefined;
  /** What is about to be written: the conditions are checked for the row as it would be then. */
  readonly proposed?: object;
}

/**
 * Which conditions hold of a row, in their order; undefined where there is none. `about` names what is asked: with the
 * resource and the viewer's role, it decides the conditions.
 */
export async function askOfRow(
  database: Database,
  asked: Asked,
  about: readonly unknown[],
  conditions: readonly Condition[],
): Promise<readonly boolean[] | undefined> {
  const { resource, viewer } = asked;
  const { key, rows, operands } =
    asked.proposed === undefined ? storedRow(resource) : proposedRow(asked, asked.proposed);
  const write = () => asking(holding(resource, conditions), rows());
  return ask(database, [resource.name, viewer?.role, about, key], write, { ...asked, operands });
}

/** Which of the conditions hold for which `write` asks; undefined where there is no row to ask. `key` names the statement. */
export async function ask(
  database: Database,
  key: readonly unknown[],
  write: () => Compilable<object>,
  bindings: Bindings,
): Promise<readonly boolean[] | undefined> {
  const [found] = await run(database, JSON.stringify(key), write, bindings);
  return found && Object.values(found).map((each) => Number(each) === 1);
}

const run = keptStatements<object>();

/** `select … as "r0", … as "r1"`: each column of a result needs a name of its own. */
export function asking(conditions: readonly Sql[], rows: Sql = sql``): Compilable<object> {
  const columns = conditions.map((each, index) => sql`${each} as ${sql.ref(`r${index}`)}`);
  return sql<object>`select ${sql.join(columns)}${rows}`;
}

/** Of the row that a statement is about. */
export function holding(resource: Resource, conditions: readonly Condition[]): readonly Sql[] {
  const rows = source(resource);
  return conditions.map((condition) => all([sql`1 = 1`, ...admitted(rows, condition)]));
}

const storedRow = (resource: Resource) => ({
  key: 'stored',
  rows: () => fromRow(resource),
  operands: [],
});

/** Other columns are as they are stored or, for a new row, as they will be filled in. */
function proposedRow({ resource, id }: Asked, proposed: object) {
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
      isBound[index] === true ? slot(({ operands: bound = [] }) => bound[index]) : stored,
    );
    // Under the name of the table, which rules use; the first half gives the columns their types.
    const typed = sql`select ${sql.join(columns)} from ${from(there)} where 1 = 0`;
    const row = sql`select ${sql.join(values)}${id === undefined ? sql`` : fromRow(resource)}`;
    return sql` from (${typed} union all ${row}) as ${sql.table(there.alias)}`;
  };
  return { key: isBound, rows, operands };
}

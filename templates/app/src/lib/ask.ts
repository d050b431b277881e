import { sql } from 'kysely';
import type { Database } from '../database/client.ts';
import { type Bindings, type Compilable, keptStatements } from '../database/slot.ts';
import type { Condition, Viewer } from './access.ts';
import type { Id, Resource } from './resource.ts';
import { fromRow } from './rows.ts';
import { admitted, all, source, type Sql } from './sql.ts';

/** Who asks, and about which row. */
export interface Asked {
  readonly viewer: Viewer | null;
  readonly id: Id;
}

const run = keptStatements<object>();

/**
 * Which conditions hold of a row, in their order; undefined where there is none. `about` names what is asked: with the
 * resource and the viewer's role, it decides the conditions.
 */
export async function askOfRow(
  database: Database,
  resource: Resource,
  about: readonly unknown[],
  conditions: readonly Condition[],
  { viewer, id }: Asked,
): Promise<readonly boolean[] | undefined> {
  const write = () => asking(holding(resource, conditions), fromRow(resource));
  return ask(database, [resource.name, viewer?.role, ...about], write, { viewer, id });
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

/** `select … as "r0", … as "r1"`: an answer has one column of a name. */
export function asking(conditions: readonly Sql[], rows: Sql = sql``): Compilable<object> {
  const columns = conditions.map((each, index) => sql`${each} as ${sql.ref(`r${index}`)}`);
  return sql<object>`select ${sql.join(columns)}${rows}`;
}

/** Of the row that a statement is about. */
export function holding(resource: Resource, conditions: readonly Condition[]): readonly Sql[] {
  const rows = source(resource);
  return conditions.map((condition) => all([sql`1 = 1`, ...admitted(rows, condition)]));
}

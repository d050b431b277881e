import { sql } from 'kysely';
import type { Database } from '../database/client.ts';
import { encode } from '../database/dialect.ts';
import { slot } from '../database/slot.ts';
import { inSql, type Viewer } from './access.ts';
import { ask, asking, holding } from './ask.ts';
import { refuseFields, rulesAfter, writeRules } from './checks.ts';
import { refusal } from './problem.ts';
import { fieldOf, type Id, type Resource } from './resource.ts';
import { fromRow } from './rows.ts';
import { column, from, source } from './sql.ts';

/** Who tries to write values: in one of the ways that admitted them to change the row of the id, or into a new one. */
export interface Attempt {
  readonly viewer: Viewer | null;
  readonly id?: Id;
  readonly ways?: readonly number[];
}

/**
 * Throws 403 or 422 as the checks of a written row do, for values that the database refused as taken: only those who may
 * write them learn that another row has them.
 */
export async function requireAllowedValues(
  database: Database,
  resource: Resource,
  values: object,
  { viewer, id, ways }: Attempt,
): Promise<void> {
  const isNew = id === undefined;
  const rules = rulesAfter(resource, ways).map((rule) => rule(inSql(viewer)));
  const fields = isNew ? writeRules(resource, inSql(viewer), values) : [];
  if (rules.includes(true) && fields.length === 0) return;
  const rows = source(resource);
  const names = Object.keys(resource.fields).filter((name) => !fieldOf(resource, name).computed);
  const given = new Map<string, unknown>(Object.entries(values));
  const made = new Map<string, unknown>(Object.entries(resource.defaults?.() ?? {}));
  const operands = names.map((name) => {
    const field = fieldOf(resource, name);
    const initial = made.get(field.column ?? name) ?? field.default;
    return encode(given.get(name) === undefined ? initial : given.get(name), field);
  });
  const isBound = names.map((name) => isNew || given.get(name) !== undefined);
  const write = () => {
    const columns = names.map((name) => column(rows, name));
    const own = columns.map((stored, index) =>
      isBound[index] === true ? slot(({ operands: bound = [] }) => bound[index]) : stored,
    );
    // As a table of its name, so that rules may speak of it; the first half gives the columns their types.
    const row = sql`select ${sql.join(columns)} from ${from(rows)} where 1 = 0 union all select ${sql.join(own)}${isNew ? sql`` : fromRow(resource)}`;
    const conditions = [...rules, ...fields.map(({ condition }) => condition)];
    return asking(holding(resource, conditions), sql` from (${row}) as ${sql.table(rows.alias)}`);
  };
  const ruled = fields.map(({ field }) => field);
  const key = ['values', resource.name, viewer?.role, ways, isBound, ruled];
  const found = (await ask(database, key, write, { viewer, id, operands })) ?? [];
  refuseFields(fields.filter((_, index) => found[rules.length + index] !== true));
  if (!found.slice(0, rules.length).includes(true)) throw refusal(viewer);
}

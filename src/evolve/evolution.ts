import type { App } from '../model/app.ts';
import {
  type ColumnSource,
  newColumnSource,
  rekeyedColumnSource,
  type World,
} from './columns/column-source.ts';
import { dialects } from './dialects.ts';
import { keptColumnSource } from './columns/kept-column.ts';
import { type Pair, pairById } from './pairs.ts';
import { type Column, keyOn, type Table } from './tables/table.ts';
import { appTables } from './tables/app-tables.ts';

/** What becomes of each table of one engine. */
export interface Evolution extends World {
  readonly added: readonly Table[];
  readonly dropped: readonly Table[];
  readonly kept: readonly KeptTable[];
}

export interface KeptTable {
  readonly before: Table;
  readonly after: Table;
  /** One for each column that the table will have. */
  readonly columns: readonly ColumnSource[];
  readonly dropped: readonly Column[];
}

export function evolve(apps: Pair<App>): Evolution {
  const dialect = dialects[apps.after.database];
  const world = { apps, dialect };
  const tables = pairById(appTables(apps.before, dialect), appTables(apps.after, dialect));
  const rekeyed = rekeyedTables(apps);
  return {
    ...world,
    added: tables.added,
    dropped: tables.dropped,
    kept: tables.kept.map((pair) => keepTable(pair, world, rekeyed)),
  };
}

/** The tables whose ids become others, by their names before and after. */
function rekeyedTables({ before, after }: Pair<App>): ReadonlyMap<string, string> {
  const changed = pairById(before.models, after.models).kept.filter(
    (pair) => pair.before.idType !== pair.after.idType,
  );
  return new Map(changed.map((pair) => [pair.after.table, pair.before.table]));
}

function keepTable(
  { before, after }: Pair<Table>,
  world: World,
  rekeyed: ReadonlyMap<string, string>,
): KeptTable {
  const columns = pairById(before.columns.map(identified), after.columns.map(identified));
  const former = new Map(columns.kept.map((pair) => [pair.after.column, pair.before.column]));
  const source = (column: Column): ColumnSource => {
    const was = former.get(column);
    if (was === undefined) return newColumnSource(column, world);
    const pair = { before: was, after: column };
    const table = column.field.role === 'id' ? after.name : keyOn(after, column.name)?.table;
    return table !== undefined && rekeyed.has(table)
      ? rekeyedColumnSource(pair, table, world)
      : keptColumnSource(pair, world);
  };
  return {
    before,
    after,
    columns: after.columns.map(source),
    dropped: columns.dropped.map(({ column }) => column),
  };
}

function identified(column: Column) {
  return { id: column.field.id, column };
}

import { present } from '../present.ts';
import type { App, Model } from '../model/app.ts';
import { getId } from '../model/lookups.ts';
import type { Sql } from '../types/field-type.ts';
import type { ModelField } from './changes/change.ts';
import { dialects } from './dialect.ts';
import { isRekeyed, type Pair, pairById, pairUp } from './pairs.ts';
import { appTables } from './tables/app-tables.ts';
import { withChangedTypes } from './tables/enum-types.ts';
import { type ColumnSource, newColumnSource, type EngineApps } from './tables/column-source.ts';
import { type Column, findKeyOn, type Table } from './tables/table.ts';
import { keptColumnSource } from './tables/kept-column.ts';

/** The tables of two apps, paired: those added, dropped and kept. */
export interface TableChanges extends EngineApps {
  readonly added: readonly Table[];
  readonly dropped: readonly Table[];
  readonly kept: readonly KeptTable[];
}

export interface KeptTable {
  readonly before: Table;
  readonly after: Table;
  /** In the order of the columns in `after`. */
  readonly columns: readonly ColumnSource[];
  readonly dropped: readonly Column[];
  /** The column of the ids, if these change. */
  readonly newId?: Pair<Column>;
}

export function allSources({ kept }: TableChanges): readonly ColumnSource[] {
  return kept.flatMap(({ columns }) => columns);
}

export function findKeptTable(
  tableChanges: TableChanges,
  model: Pick<Model, 'id'>,
): KeptTable | undefined {
  return tableChanges.kept.find(({ after }) => after.id === model.id);
}

export function findSource(
  tableChanges: TableChanges,
  { model, field }: ModelField,
): ColumnSource | undefined {
  return findKeptTable(tableChanges, model)?.columns.find(
    ({ after }) => after.field.id === field.id,
  );
}

export function compareTables(apps: Pair<App>): TableChanges {
  const dialect = dialects[apps.after.database];
  const before = withChangedTypes(apps);
  const engineApps = { apps: { before, after: apps.after }, dialect };
  const tables = pairById(appTables(before), appTables(apps.after));
  const rekeyed = rekeyedTables(apps);
  return {
    apps,
    dialect,
    added: tables.added,
    dropped: tables.dropped,
    kept: tables.kept.map((pair) => keepTable(pair, engineApps, rekeyed)),
  };
}

/** The names of the tables whose ids change; an id that becomes a text keeps its digits. */
function rekeyedTables({ before, after }: Pair<App>): ReadonlySet<string> {
  const models = pairById(before.models, after.models).kept;
  const changed = models.filter((pair) => {
    return isRekeyed(pair) && getId(pair.after).type.kind !== 'text';
  });
  return new Set(changed.map((pair) => pair.after.table));
}

function keepTable(
  { before, after }: Pair<Table>,
  engineApps: EngineApps,
  rekeyed: ReadonlySet<string>,
): KeptTable {
  const { kept, dropped } = pairUp(before.columns, after.columns, ({ field }) =>
    before.columns.find((it) => it.field.id === field.id),
  );
  const source = (column: Column): ColumnSource => {
    const pair = kept.find((it) => it.after === column);
    if (pair === undefined) return newColumnSource(column, engineApps);
    const table = column.field.role === 'id' ? after.name : findKeyOn(after, column.name)?.table;
    if (table === undefined || !rekeyed.has(table)) return keptColumnSource(pair, engineApps);
    const value: Sql = (old) => engineApps.dialect.newId(table, old);
    return { ...pair, value, isCopied: false, isRekeyed: true };
  };
  const ids = rekeyed.has(after.name) ? kept.find((it) => it.after.field.role === 'id') : undefined;
  return {
    before,
    after,
    columns: after.columns.map(source),
    dropped,
    ...present({ newId: ids }),
  };
}

import type { App, Field } from '../model/app.ts';
import type { Change } from './changes/change.ts';
import { listChanges } from './changes/list-changes.ts';
import { type TableChanges, compareTables, allSources, findSource } from './table-changes.ts';
import { listHazards } from './hazards/list-hazards.ts';
import type { Hazard } from './hazards/hazard.ts';
import { countRows } from './hazards/counts.ts';
import { listLinkedKeys } from './keys-as-links.ts';
import { linksAsModels, withLinksAsModels } from './links-as-models.ts';
import type { Precautions } from './migration.ts';
import type { Pair } from './pairs.ts';
import { listPostgresSteps } from './postgres/steps.ts';
import { identifierSql } from './sql/sql-text.ts';
import { runInTransaction, type SqlStep, stepsSql } from './sql/steps.ts';
import { needsRebuild } from './sqlite/needs-rebuild.ts';
import { listSqliteBlocks } from './sqlite/blocks.ts';
import { isTouched } from './tables/differences.ts';
import type { Table } from './tables/table.ts';
import type { Engine } from '../types/field-type.ts';

/** The differences between two apps, their hazards, and the SQL of the migration. */
export interface MigrationPlan {
  readonly changes: readonly Change[];
  readonly hazards: readonly Hazard[];
  readonly tableChanges: TableChanges;
  /** Empty if both databases are equal. */
  readonly sql: string;
  /** Whether it needs more than one transaction. */
  readonly isInSteps: boolean;
}

export function planMigration(apps: Pair<App>): MigrationPlan {
  const tableChanges = compareTables(apps);
  const changes = listChanges(withLinksAsModels(apps), apps.after);
  const hazards = listHazards(changes, tableChanges);
  const steps = stepMakers[apps.after.database](tableChanges);
  return { changes, hazards, tableChanges, ...stepsSql(steps) };
}

const stepMakers: Readonly<Record<Engine, (tableChanges: TableChanges) => readonly SqlStep[]>> = {
  sqlite: (tableChanges) => [runInTransaction(listSqliteBlocks(tableChanges))],
  postgres: listPostgresSteps,
};

/** PostgreSQL rebuilds no tables and has its own backups. A SQLite file is copied before anything is removed. */
export function choosePrecautions({ hazards, tableChanges }: MigrationPlan): Precautions {
  const { dropped, kept } = tableChanges;
  const isFile = tableChanges.apps.after.database === 'sqlite';
  const watched = kept.filter((table) =>
    isFile ? needsRebuild(table, tableChanges) : isTouched(table),
  );
  const isTaken = dropped.length > 0 || hazards.some(({ kind }) => kind === 'destructive');
  return {
    hazards,
    backup: isFile && (isTaken || watched.length > 0),
    tables: Object.fromEntries(watched.map(({ before, after }) => [before.name, after.name])),
    ...(isFile && watched.length > 0
      ? {
          rebuilt: Object.fromEntries(
            watched.map(({ before }) => [before.name, rebuiltParts(before)]),
          ),
        }
      : {}),
  };
}

function rebuiltParts({ columns, checks }: Table) {
  return {
    columns: columns.map(({ name }) => name),
    checks: checks.map(({ expression }) => expression),
  };
}

/** Undefined if former values could not be restored. The rollback stops if rows would be lost. */
export function planRollback(plan: MigrationPlan): MigrationPlan | undefined {
  const isLost = plan.hazards.some(({ kind }) => kind === 'destructive');
  const { before, after } = plan.tableChanges.apps;
  // The former tables may not fit: two rows of such a model may have the same keys, and a row may have two links.
  const isOneWay = [linksAsModels, listLinkedKeys].some(
    (find) => find(plan.tableChanges.apps).length > 0,
  );
  if (isLost || !keepsValues(plan) || isOneWay) return undefined;
  const back = planMigration({ before: after, after: mapFields(before, withoutBackfill) });
  const isUnknown = back.hazards.some((it) => isOfRows(it) && it.count === undefined);
  if (!keepsValues(back) || isUnknown) return undefined;
  const hazards = back.hazards.map((hazard) => ({ ...hazard, ...stopsBack(hazard, back, plan) }));
  return { ...back, hazards };
}

const isOfRows = ({ kind }: Hazard) => kind === 'destructive' || kind === 'data';

/** Whether a rollback keeps the values of kept columns. Filled values are no loss. */
function keepsValues({ tableChanges }: MigrationPlan): boolean {
  return allSources(tableChanges).every(
    ({ before, after, isCopied }) =>
      before === undefined || isCopied || before.field.type.kind === after.field.type.kind,
  );
}

export function mapFields(app: App, change: (field: Field) => Field): App {
  const models = app.models.map((model) => ({ ...model, fields: model.fields.map(change) }));
  return { ...app, models };
}

/** A rollback fills in nothing, so a value that does not fit stops it. */
function withoutBackfill(field: Field): Field {
  const { backfill: _, ...others } = field;
  return others;
}

/** Whether rows without a value got one, which a rollback leaves. */
export function fillsRows({ tableChanges }: MigrationPlan): boolean {
  return allSources(tableChanges).some(
    ({ before, fill }) => before !== undefined && fill !== undefined,
  );
}

/**
 * Whether an added field stops the rollback: if a row has another value than the one that all rows were given. If each
 * row was given its own value or the time, any value counts.
 */
function stopsBack(hazard: Hazard, back: MigrationPlan, there: MigrationPlan) {
  const { code, target } = hazard;
  if (!isOfRows(hazard)) return {};
  const dropped = back.changes.find((it) => it.kind === 'drop_field' && it.target === target);
  if (code !== 'SCF412' || dropped?.kind !== 'drop_field') return { stops: true };
  // The model may have had another name.
  const { model, field } = dropped.before;
  const source = findSource(there.tableChanges, { model, field });
  const isKnown = source?.fill !== undefined && source.made === undefined;
  if (!isKnown || source.before !== undefined) return { stops: true };
  const column = identifierSql(source.after.name);
  const count = countRows(model.table, `${column} IS DISTINCT FROM ${source.fill}`);
  return { stops: true, count };
}

/** Whether the code of the release before keeps working. */
export function isAdditive({ changes, hazards }: MigrationPlan): boolean {
  return changes.every(({ kind }) => harmless.has(kind)) && hazards.length === 0;
}

/** Additions and dropped constraints do not break old code. */
const harmless: ReadonlySet<Change['kind']> = new Set([
  'add_model',
  'add_links',
  'add_field',
  'add_index',
  'drop_index',
  'drop_check',
]);

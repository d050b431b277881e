import type { App, Engine } from '../model/app.ts';
import type { Change } from './changes/change.ts';
import { findChanges } from './changes/find-changes.ts';
import type { ColumnSource } from './columns/column-source.ts';
import { type Evolution, evolve } from './evolution.ts';
import { type Hazard, needsAcceptance } from './hazards/hazard.ts';
import { findHazards } from './hazards/find-hazards.ts';
import type { Precautions } from './migration.ts';
import { notesOf, type Notes } from './notes.ts';
import type { Pair } from './pairs.ts';
import { postgresSteps } from './postgres/steps.ts';
import { needsRebuild } from './sqlite/rebuild.ts';
import { sqliteBlocks } from './sqlite/blocks.ts';
import { type Step, stepsSql } from './sql/step.ts';
import { isTouched } from './tables/is-touched.ts';
import type { Table } from './tables/table.ts';

/** What differs between two apps, what that risks, and the SQL that makes one database the other. */
export interface ChangePlan {
  readonly changes: readonly Change[];
  readonly hazards: readonly Hazard[];
  readonly evolution: Evolution;
  /** Empty when the databases of both are the same. */
  readonly sql: string;
}

export function planChanges(apps: Pair<App>): ChangePlan {
  const evolution = evolve(apps);
  const changes = findChanges(apps.before, apps.after);
  const hazards = findHazards(changes, evolution);
  const steps = stepsOf[apps.after.database](evolution, notesOf(changes, hazards, apps.after));
  return { changes, hazards, evolution, sql: stepsSql(steps) };
}

const stepsOf: Readonly<Record<Engine, (evolution: Evolution, notes: Notes) => readonly Step[]>> = {
  sqlite: (evolution, notes) => [{ isAlone: false, blocks: sqliteBlocks(evolution, notes) }],
  postgres: postgresSteps,
};

/** PostgreSQL makes no table anew and has backups of its own; a SQLite file is copied before anything is taken out. */
export function precautionsOf({ hazards, evolution }: ChangePlan): Precautions {
  const { dropped, kept } = evolution;
  const isFile = evolution.apps.after.database === 'sqlite';
  const watched = kept.filter((table) =>
    isFile ? needsRebuild(table, evolution) : isTouched(table),
  );
  const isTaken = dropped.length > 0 || hazards.some(({ kind }) => kind === 'destructive');
  return {
    hazards,
    backup: isFile && (isTaken || watched.length > 0),
    tables: Object.fromEntries(watched.map(({ before, after }) => [before.name, after.name])),
    ...(isFile && watched.length > 0
      ? { rebuilt: Object.fromEntries(watched.map(({ before }) => [before.name, partsOf(before)])) }
      : {}),
  };
}

function partsOf({ columns, checks }: Table) {
  return {
    columns: columns.map(({ name }) => name),
    checks: checks.map(({ expression }) => expression),
  };
}

/** Undefined when something would be missing after it. */
export function wayBack(plan: ChangePlan): ChangePlan | undefined {
  if (!isLossless(plan)) return undefined;
  const { before, after } = plan.evolution.apps;
  const back = planChanges({ before: after, after: before });
  return isLossless(back) ? back : undefined;
}

/** Nothing is dropped, made up, converted or refused. */
function isLossless({ hazards, evolution }: ChangePlan): boolean {
  const isConverted = evolution.kept.some(({ columns }) => columns.some(isOther));
  return !isConverted && !hazards.some(needsAcceptance);
}

function isOther({ before, after, fill }: ColumnSource): boolean {
  if (before === undefined) return false;
  return fill !== undefined || before.field.type.kind !== after.field.type.kind;
}

import type { App, Engine } from '../model/app.ts';
import { carriedIds } from '../model/carried-ids.ts';
import type { Change } from './change.ts';
import { findChanges } from './changes.ts';
import type { ColumnSource } from './column-source.ts';
import { type Evolution, evolve } from './evolution.ts';
import { acceptanceKey, type Hazard, needsAcceptance } from './hazard.ts';
import { findHazards } from './hazards.ts';
import { migrationName } from './migration-name.ts';
import { type Migration, type Precautions, printMigration } from './migration.ts';
import { notesOf, type Notes } from './notes.ts';
import type { Pair } from './pairs.ts';
import { paragraphSql } from './sql-text.ts';
import { postgresSteps } from './postgres-migration.ts';
import { needsRebuild } from './rebuild.ts';
import { sqliteBlocks } from './sqlite-migration.ts';
import { type Step, stepsSql } from './step.ts';

export interface Evolved {
  readonly migration: Migration;
  readonly changes: readonly Change[];
  /** What has to be accepted, and what is only told. */
  readonly hazards: readonly Hazard[];
}

interface Options {
  /** The number of the migration. */
  readonly sequence: number;
  /** Id of the migration before it. */
  readonly parent: string;
  /** The file that the next app was built from. */
  readonly schemaText: string;
  /** What to call it, in place of what its changes suggest. */
  readonly name?: string;
}

/**
 * The migration from one app to the next, whose ids `carryIds` has carried over and whose engine is the same; undefined
 * when the databases of both are the same.
 */
export function migrate(before: App, after: App, options: Options): Evolved | undefined {
  const step = planChanges({ before, after });
  if (step.sql === '') return undefined;
  const { changes, hazards } = step;
  const id = `${String(options.sequence).padStart(4, '0')}_${migrationName(changes, options.name)}`;
  const down = wayBack(step);
  const facts = {
    id,
    parent: options.parent,
    engine: after.database,
    operations: changes.map(({ kind, target }) => ({ kind, target })),
    ...precautionsOf(step),
    accepted: hazards.filter(needsAcceptance).map(acceptanceKey),
    ids: carriedIds(after),
  };
  const texts = {
    'up.sql': `${heading(id, step, down)}\n\n${step.sql}\n`,
    ...(down === undefined ? {} : { 'down.sql': `-- Takes ${id} back.\n\n${down.sql}\n` }),
    'schema.yaml': options.schemaText,
  };
  return { migration: printMigration(facts, texts), changes, hazards };
}

interface Plan {
  readonly changes: readonly Change[];
  readonly hazards: readonly Hazard[];
  readonly evolution: Evolution;
  readonly sql: string;
}

function planChanges(apps: Pair<App>): Plan {
  const evolution = evolve(apps);
  const changes = findChanges(apps.before, apps.after);
  const hazards = findHazards(changes, evolution);
  const steps = stepsOf[apps.after.database](evolution, notesOf(changes, hazards));
  return { changes, hazards, evolution, sql: stepsSql(steps) };
}

const stepsOf: Readonly<Record<Engine, (evolution: Evolution, notes: Notes) => readonly Step[]>> = {
  sqlite: (evolution, notes) => [{ isAlone: false, blocks: sqliteBlocks(evolution, notes) }],
  postgres: postgresSteps,
};

/** PostgreSQL makes no table anew and has backups of its own; a SQLite file is copied before anything is taken out. */
function precautionsOf({ hazards, evolution }: Plan): Precautions {
  const isFile = evolution.apps.after.database === 'sqlite';
  const rebuilt = evolution.kept.filter((table) => isFile && needsRebuild(table, evolution));
  const isTaken =
    evolution.dropped.length > 0 || hazards.some(({ kind }) => kind === 'destructive');
  return {
    hazards,
    backup: isFile && (isTaken || rebuilt.length > 0),
    tables: Object.fromEntries(rebuilt.map(({ before, after }) => [before.name, after.name])),
  };
}

/** Undefined when something would be missing after it. */
function wayBack(step: Plan): Plan | undefined {
  if (!isLossless(step)) return undefined;
  const { before, after } = step.evolution.apps;
  const back = planChanges({ before: after, after: before });
  return isLossless(back) ? back : undefined;
}

/** Nothing is dropped, made up, converted or refused. */
function isLossless({ hazards, evolution }: Plan): boolean {
  const isConverted = evolution.kept.some(({ columns }) => columns.some(isOther));
  return !isConverted && !hazards.some(needsAcceptance);
}

function isOther({ before, after, fill }: ColumnSource): boolean {
  if (before === undefined) return false;
  return fill !== undefined || before.field.type.kind !== after.field.type.kind;
}

function heading(id: string, { evolution, hazards, sql }: Plan, down: Plan | undefined): string {
  const breaks = hazards.some(({ kind }) => kind === 'breaks');
  return [
    `${id}, for ${evolution.dialect.title}.`,
    ...(breaks ? ['Code of the former schema fails once this is applied: stop it first.'] : []),
    ...(sql.startsWith('-- step')
      ? ['When a step fails, those before it stay, and the next run goes on from it.']
      : []),
    ...(down === undefined ? ['There is no way back but a backup.'] : []),
  ]
    .map(paragraphSql)
    .join('\n');
}

import type { App } from '../model/app.ts';
import { carriedIds } from '../model/carry.ts';
import type { Change } from './changes/change.ts';
import { dialects } from './dialects.ts';
import { acceptanceKey, type Hazard, needsAcceptance } from './hazards/hazard.ts';
import { migrationName } from './migration-name.ts';
import { type Migration, printMigration } from './migration.ts';
import type { Pair } from './pairs.ts';
import {
  type ChangePlan,
  fillsRows,
  isAdditive,
  planChanges,
  precautionsOf,
  wayBack,
} from './plan-changes.ts';
import { present } from '../schema/present.ts';
import { paragraphSql } from './sql/sql-text.ts';

export interface Evolved {
  readonly migration: Migration;
  readonly changes: readonly Change[];
  /** What has to be accepted, and what is only told. */
  readonly hazards: readonly Hazard[];
}

export interface MigrationOptions {
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
export function migrate(before: App, after: App, options: MigrationOptions): Evolved | undefined {
  const plan = planChanges({ before, after });
  return plan.sql === '' ? undefined : printPlan(plan, headOf(plan, options));
}

/** A migration that is written already, made again. */
export function migrateAgain(apps: Pair<App>, head: Head): Evolved {
  return printPlan(planChanges(apps), head);
}

/** The apps of another branch, which has reached the same app by migrations that go. */
export interface Branch extends Pair<App> {
  readonly replaces: readonly string[];
}

/** A migration that stands for those of another branch, and takes databases that have applied them the other way. */
export function migrateBoth(apps: Pair<App>, branch: Branch, options: MigrationOptions): Evolved {
  const plan = planChanges(apps);
  const other = planChanges(branch);
  const head = headOf(plan, options);
  const { migration, changes, hazards } = printPlan(plan, head, { ...branch, plan: other });
  const keys = new Set(hazards.map(acceptanceKey));
  const more = other.hazards.filter((hazard) => !keys.has(acceptanceKey(hazard)));
  return { migration, changes, hazards: [...hazards, ...more] };
}

/** A migration that changes nothing: after those of two branches, it says what they have come to. */
export function joinMigration(after: App, options: MigrationOptions): Evolved {
  const plan = planChanges({ before: after, after });
  return printPlan(plan, headOf(plan, options));
}

/** How a migration is called and where it stands. */
export interface Head {
  readonly id: string;
  readonly parent: string;
  readonly schemaText: string;
  /** Checksums of its SQL as it was before it was made again. */
  readonly formerly?: readonly string[];
}

function headOf({ changes, sql }: ChangePlan, options: MigrationOptions): Head {
  const { sequence, parent, schemaText } = options;
  const name = options.name ?? (sql === '' ? 'join branches' : undefined);
  const id = `${String(sequence).padStart(4, '0')}_${migrationName(changes, name)}`;
  return { id, parent, schemaText };
}

interface OtherWay {
  readonly plan: ChangePlan;
  readonly replaces: readonly string[];
}

function printPlan(plan: ChangePlan, head: Head, other?: OtherWay): Evolved {
  const { changes, hazards, evolution } = plan;
  const { after } = evolution.apps;
  const { id, parent, schemaText, formerly } = head;
  const down = plan.sql === '' ? undefined : wayBack(plan);
  const facts = {
    id,
    parent,
    ...present({ formerly }),
    ...(other === undefined ? {} : { replaces: other.replaces }),
    engine: after.database,
    operations: changes.map(({ kind, target }) => ({ kind, target })),
    ...precautionsOf(plan),
    accepted: hazards.filter(needsAcceptance).map(acceptanceKey),
    ...(other === undefined ? {} : { instead: precautionsOf(other.plan) }),
    ...(down === undefined ? {} : { down: precautionsOf(down) }),
    ...(isAdditive(plan) && other === undefined ? { additive: true as const } : {}),
    ids: carriedIds(after),
    layout: after.layout,
  };
  const title = `${id}, for ${dialects[after.database].title}.`;
  const texts = {
    'up.sql': scriptSql([title, ...remarksOf(plan, down), ...standsFor(other)], plan),
    ...(down === undefined
      ? {}
      : { 'down.sql': scriptSql([`Takes ${id} back.`, ...lossesOf(plan, down)], down) }),
    ...(other === undefined
      ? {}
      : { 'instead.sql': scriptSql([title, insteadOf(other)], other.plan) }),
    'schema.yaml': schemaText,
  };
  return { migration: printMigration(facts, texts), changes, hazards };
}

function scriptSql(heading: readonly string[], { sql }: ChangePlan): string {
  const text = heading.map(paragraphSql).join('\n');
  return sql === '' ? `${text}\n` : `${text}\n\n${sql}\n`;
}

function remarksOf({ sql, hazards }: ChangePlan, down: ChangePlan | undefined): readonly string[] {
  if (sql === '') return ['Two branches of migrations meet here. There is nothing to change.'];
  const breaks = hazards.some(({ kind }) => kind === 'breaks');
  return [
    ...(breaks ? ['Code for the old schema fails once this is applied: stop it first.'] : []),
    ...(sql.startsWith('-- step')
      ? ['When a step fails, those before it stay, and the next run goes on from it.']
      : []),
    ...(down === undefined ? ['There is no way back but a backup.'] : []),
  ];
}

function lossesOf(plan: ChangePlan, { hazards }: ChangePlan): readonly string[] {
  return [
    ...(fillsRows(plan) ? ['Rows that had no value keep the one that they were given.'] : []),
    ...(hazards.some(({ stops }) => stops)
      ? [
          'What was written since, and would be lost or has no place, is counted first, and stops it.',
        ]
      : []),
  ];
}

function standsFor(other: OtherWay | undefined): readonly string[] {
  if (other === undefined) return [];
  return [
    `Two branches of migrations meet here: this stands for ${other.replaces.join(', ')}. A database that has those runs instead.sql.`,
  ];
}

function insteadOf({ replaces }: OtherWay): string {
  return `For a database of another branch, with ${replaces.join(', ')}: what that lacks.`;
}

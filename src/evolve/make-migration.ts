import { present } from '../present.ts';
import type { App } from '../model/app.ts';
import { readCarriedIds } from '../model/carried-ids.ts';
import type { Change } from './changes/change.ts';
import { dialects } from './dialect.ts';
import { acceptanceKey, type Hazard, type HazardKind, needsAcceptance } from './hazards/hazard.ts';
import {
  type Migration,
  type MigrationContent,
  migrationName,
  printMigration,
} from './migration.ts';
import {
  type MigrationPlan,
  fillsRows,
  isAdditive,
  planMigration,
  planRollback,
  choosePrecautions,
} from './plan-migration.ts';
import { paragraphSql } from './sql/sql-text.ts';
import { isTouched } from './tables/differences.ts';
import { isInternal } from './tables/internal-tables.ts';

export interface NewMigration {
  readonly migration: Migration;
  readonly changes: readonly Change[];
  /** All hazards, including those that need not be accepted. */
  readonly hazards: readonly Hazard[];
}

interface MigrationOptions {
  readonly sequence: number;
  /** The id of the migration before it. */
  readonly parent: string;
  /** The schema file of the next app. */
  readonly schemaText: string;
  /** A name to use instead of the suggested one. */
  readonly name?: string;
}

/** The migration between two apps of one engine whose ids are carried. Undefined if their databases are equal. */
export function makeMigration(
  before: App,
  after: App,
  options: MigrationOptions,
): NewMigration | undefined {
  const plan = planMigration({ before, after });
  return plan.sql === '' ? undefined : printPlan(plan, withId(plan, options));
}

/** A migration without changes that joins two branches. */
export function joinMigration(after: App, options: MigrationOptions): NewMigration {
  const plan = planMigration({ before: after, after });
  return printPlan(plan, withId(plan, options));
}

function withId({ changes, sql }: MigrationPlan, options: MigrationOptions) {
  const { sequence, name = sql === '' ? 'join branches' : undefined, ...rest } = options;
  return { id: `${String(sequence).padStart(4, '0')}_${migrationName(changes, name)}`, ...rest };
}

export function printPlan(
  plan: MigrationPlan,
  {
    schemaText,
    ...rest
  }: Pick<MigrationContent, 'id' | 'parent' | 'formerly'> & Pick<MigrationOptions, 'schemaText'>,
): NewMigration {
  const { changes, hazards, tableChanges, sql } = plan;
  const { after } = tableChanges.apps;
  const { id } = rest;
  const down = sql === '' ? undefined : planRollback(plan);
  const content = present({
    ...rest,
    engine: after.database,
    ...choosePrecautions(plan),
    accepted: hazards.filter(needsAcceptance).map(acceptanceKey),
    down: down && choosePrecautions(down),
    additive: isAdditive(plan) ? true : undefined,
    ids: readCarriedIds(after),
    layout: after.layout,
  });
  const title = `${id}, for ${dialects[after.database].title}.`;
  const texts = present({
    'up.sql': scriptSql(plan, [title, ...listRemarks(plan, down)]),
    'down.sql': down && scriptSql(down, [`Rolls ${id} back.`, ...describeLosses(plan, down)]),
    'schema.yaml': schemaText,
  });
  return { migration: printMigration(content, texts), changes, hazards };
}

function scriptSql(plan: MigrationPlan, heading: readonly string[]): string {
  const comments = [heading, describeMigration(plan)].map((lines) =>
    lines.map(paragraphSql).join('\n'),
  );
  return `${[...comments, plan.sql].filter((part) => part !== '').join('\n\n')}\n`;
}

function listRemarks(
  { sql, isInSteps, hazards }: MigrationPlan,
  down: MigrationPlan | undefined,
): readonly string[] {
  if (sql === '') return ['Two branches of migrations meet here. This migration changes nothing.'];
  return [
    ...oldCodeRemarks(hazards),
    ...(isInSteps
      ? ['If a step fails, those before it stay applied, and the next run continues with it.']
      : []),
    ...(down === undefined ? ['This migration cannot be rolled back: restore a backup.'] : []),
  ];
}

function oldCodeRemarks(hazards: readonly Hazard[]): readonly string[] {
  const has = (kind: HazardKind) => hazards.some((it) => it.kind === kind);
  const stop = 'Stop servers that run the old code before this is applied: they';
  if (has('misleads')) return [`${stop} would store wrong values from then on.`];
  return has('breaks') ? [`${stop} fail from then on.`] : [];
}

function describeLosses(plan: MigrationPlan, { hazards }: MigrationPlan): readonly string[] {
  const filled = 'Rows that had no value keep the one they were given.';
  const counted =
    'Rows written since then that would be lost are counted first; if there are any, the rollback stops.';
  return [
    ...(fillsRows(plan) ? [filled] : []),
    ...(hazards.some(({ stops }) => stops) ? [counted] : []),
  ];
}

/** Sentences about changes and hazards for the heading of a migration, which already says what breaks old code. */
function describeMigration({ changes, hazards, tableChanges }: MigrationPlan): readonly string[] {
  const { added, dropped, kept } = tableChanges;
  const touched = [...added, ...dropped, ...kept.filter(isTouched).map(({ after }) => after)];
  const internal = touched.filter(({ id }) => isInternal(id)).map(({ name }) => name);
  const risks = hazards.filter(({ kind }) => kind !== 'breaks');
  return [
    ...new Set(changes.map(({ sentence }) => sentence)),
    ...risks.map((it) => `${acceptanceKey(it)}: ${it.message.replaceAll('`', '')}`),
    ...(internal.length === 0
      ? []
      : [`This version needs the server's own tables in another form: ${internal.join(', ')}.`]),
  ];
}

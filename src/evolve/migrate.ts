import { type App, type Field, valuesOf } from '../model/app.ts';
import { carriedIds } from '../model/carry.ts';
import { present } from '../schema/present.ts';
import type { Change } from './changes/change.ts';
import { dialects } from './dialect.ts';
import { evolve, sourcesOf } from './evolution.ts';
import { acceptanceKey, type Hazard, type HazardKind, needsAcceptance } from './hazards/hazard.ts';
import { appAfter, type StoredMigration } from './heads/stored-migrations.ts';
import {
  checksum,
  type Migration,
  type MigrationFacts,
  migrationName,
  printMigration,
  type Warning,
} from './migration.ts';
import type { Pair } from './pairs.ts';
import {
  type ChangePlan,
  fillsRows,
  isAdditive,
  mapFields,
  planChanges,
  precautionsOf,
  wayBack,
} from './plan-changes.ts';
import { paragraphSql } from './sql/sql-text.ts';

export interface Evolved {
  readonly migration: Migration;
  readonly changes: readonly Change[];
  /** What has to be accepted, and what is only reported. */
  readonly hazards: readonly Hazard[];
}

interface MigrationOptions {
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

/** The apps of another branch, which has reached the same app by migrations that go. */
export interface Branch extends Pair<App> {
  readonly replaces: readonly string[];
}

/** A migration that stands for those of another branch, and takes databases that have applied them the other way. */
export function migrateBoth(apps: Pair<App>, branch: Branch, options: MigrationOptions): Evolved {
  const plan = planChanges(apps);
  const other = { ...planChanges(branch), replaces: branch.replaces };
  const evolved = printPlan(plan, headOf(plan, options), other);
  const keys = new Set(plan.hazards.map(acceptanceKey));
  const more = other.hazards.filter((hazard) => !keys.has(acceptanceKey(hazard)));
  return { ...evolved, hazards: [...plan.hazards, ...more] };
}

/** A migration that changes nothing: after those of two branches, it says what they have come to. */
export function joinMigration(after: App, options: MigrationOptions): Evolved {
  const plan = planChanges({ before: after, after });
  return printPlan(plan, headOf(plan, options));
}

/** How a migration is called and where it stands. */
type Head = Pick<MigrationFacts, 'id' | 'parent' | 'formerly'> &
  Pick<MigrationOptions, 'schemaText'>;

function headOf({ changes, sql }: ChangePlan, options: MigrationOptions): Head {
  const { sequence, name = sql === '' ? 'join branches' : undefined, ...place } = options;
  return { id: `${String(sequence).padStart(4, '0')}_${migrationName(changes, name)}`, ...place };
}

type OtherWay = ChangePlan & Pick<Branch, 'replaces'>;

function printPlan(plan: ChangePlan, head: Head, other?: OtherWay): Evolved {
  const { changes, hazards, evolution, sql } = plan;
  const { after } = evolution.apps;
  const { id, parent, schemaText, formerly } = head;
  const down = sql === '' ? undefined : wayBack(plan);
  const facts = present({
    id,
    parent,
    formerly,
    replaces: other?.replaces,
    engine: after.database,
    operations: changes.map(({ kind, target }) => ({ kind, target })),
    ...precautionsOf(plan),
    accepted: hazards.filter(needsAcceptance).map(acceptanceKey),
    instead: other && precautionsOf(other),
    down: down && precautionsOf(down),
    additive: isAdditive(plan) && other === undefined ? true : undefined,
    ids: carriedIds(after),
    layout: after.layout,
  });
  const title = `${id}, for ${dialects[after.database].title}.`;
  const remarks = [...remarksOf(plan, down), ...(other ? [standsFor(other)] : [])];
  const texts = present({
    'up.sql': scriptSql(sql, [title, ...remarks]),
    'down.sql': down && scriptSql(down.sql, [`Takes ${id} back.`, ...lossesOf(plan, down)]),
    'instead.sql': other && scriptSql(other.sql, [title, insteadOf(other)]),
    'schema.yaml': schemaText,
  });
  return { migration: printMigration(facts, texts), changes, hazards };
}

function scriptSql(sql: string, heading: readonly string[]): string {
  const text = heading.map(paragraphSql).join('\n');
  return sql === '' ? `${text}\n` : `${text}\n\n${sql}\n`;
}

function remarksOf({ sql, hazards }: ChangePlan, down: ChangePlan | undefined): readonly string[] {
  if (sql === '') return ['Two branches of migrations meet here. There is nothing to change.'];
  return [
    ...oldCodeRemarks(hazards),
    ...(sql.startsWith('-- step')
      ? ['When a step fails, those before it stay, and the next run goes on from it.']
      : []),
    ...(down === undefined ? ['This migration cannot be rolled back: restore a backup.'] : []),
  ];
}

function oldCodeRemarks(hazards: readonly Hazard[]): readonly string[] {
  const has = (kind: HazardKind) => hazards.some((it) => it.kind === kind);
  if (has('misleads')) {
    return [
      'Stop servers that run the old code before this is applied: they would store wrong values from then on.',
    ];
  }
  return has('breaks')
    ? ['Stop servers that run the old code before this is applied: they fail from then on.']
    : [];
}

function lossesOf(plan: ChangePlan, { hazards }: ChangePlan): readonly string[] {
  const filled = 'Rows that had no value keep the one that they were given.';
  const counted =
    'Rows written since then that would be lost are counted first; if there are any, it stops.';
  return [
    ...(fillsRows(plan) ? [filled] : []),
    ...(hazards.some(({ stops }) => stops) ? [counted] : []),
  ];
}

function standsFor({ replaces }: OtherWay): string {
  return `Two branches of migrations meet here: this stands for ${replaces.join(', ')}. A database that has those runs instead.sql.`;
}

function insteadOf({ replaces }: OtherWay): string {
  return `For a database of another branch, with ${replaces.join(', ')}: what that lacks.`;
}

/**
 * What rows get, said only when the migrations that ask for it were written already: those migrations with it, under
 * the ids that they have. SQL that is somebody's own stays as it is.
 */
export function fillLate(history: readonly StoredMigration[], apps: Pair<App>) {
  const found = findConcerned(history, apps);
  const [own, generated] = [found.filter(isOwn), found.filter((it) => !isOwn(it))];
  return { again: generated.map(makeAgain), warnings: own.map(reportLeft) };
}

interface Concerned {
  readonly stored: StoredMigration;
  readonly filled: Pair<App>;
}

function findConcerned(history: readonly StoredMigration[], apps: Pair<App>): readonly Concerned[] {
  const former = fieldsOf(apps.before);
  const late = saidLate(apps, former);
  if (late.size === 0) return [];
  const now = new Map([...former, ...late]);
  const generated = history.filter(({ texts }) => texts['schema.yaml'] !== undefined);
  return generated.slice(1).flatMap((stored, index): readonly Concerned[] => {
    const before = appAfter(generated[index] ?? stored);
    const after = appAfter(stored);
    if (before === undefined || after === undefined) return [];
    const filled = { before, after: withValues(after, now) };
    const unfilled = { before, after: withValues(after, former) };
    const isSame = planChanges(filled).sql === planChanges(unfilled).sql;
    return isSame ? [] : [{ stored, filled }];
  });
}

/** Edited, or with a second way in it, which nobody knows how to make any more. */
function isOwn({ stored }: Concerned): boolean {
  return stored.isEdited || stored.replaces.length > 0;
}

function reportLeft({ stored: { id, isEdited, replaces } }: Concerned): Warning {
  const files = ['up.sql', ...(replaces.length > 0 ? ['instead.sql'] : [])];
  return {
    code: 'SCF514',
    message: `The \`backfill\` was added after \`migrations/${id}\` was written. That migration is not changed: ${isEdited ? 'its SQL was edited by hand' : 'it has a way for each of two branches'}.`,
    help: `Where it is not applied yet, write the \`backfill\` into ${files.map((it) => `\`${it}\``).join(' and ')} there.`,
  };
}

/** Its hazards are those that nobody has agreed to yet. */
function makeAgain({ stored, filled }: Concerned): Evolved {
  const { id, parent, texts, formerly, accepted } = stored;
  const evolved = printPlan(planChanges(filled), {
    id,
    parent: parent ?? '',
    schemaText: texts['schema.yaml'] ?? '',
    formerly: [...formerly, checksum(texts['up.sql'] ?? '')],
  });
  const isOpen = (it: Hazard) => needsAcceptance(it) && !accepted.includes(acceptanceKey(it));
  return { ...evolved, hazards: evolved.hazards.filter(isOpen) };
}

/** By their ids, with the values that they can have. */
type Fields = ReadonlyMap<string, { readonly field: Field; readonly shape: string }>;

function fieldsOf(app: App): Fields {
  const fields = app.models.flatMap((model) => model.fields);
  return new Map(fields.map((field) => [field.id, { field, shape: shapeOf(field, app) }]));
}

/** Those of which something is said that is new, and not for the step that the schema is about to take. */
function saidLate(apps: Pair<App>, former: Fields): Fields {
  const said = [...fieldsOf(apps.after)].filter(([id, { field }]) => {
    const was = former.get(id)?.field;
    return was && (isNew(field.backfill, was.backfill) || isNew(field.default, was.default));
  });
  if (said.length === 0) return new Map();
  const filled = sourcesOf(evolve(apps)).filter(({ fill }) => fill !== undefined);
  return new Map(said.filter(([id]) => !filled.some(({ after }) => after.field.id === id)));
}

function isNew(value: unknown, was: unknown): boolean {
  return value !== undefined && JSON.stringify(value) !== JSON.stringify(was);
}

/** With what is said of the fields whose values are the same. */
function withValues(app: App, said: Fields): App {
  return mapFields(app, (field) => {
    const now = said.get(field.id);
    if (now?.shape !== shapeOf(field, app)) return field;
    return { ...field, ...present({ backfill: backfillOf(field, now.field) }) };
  });
}

/** A default that came later is for rows that had none. */
function backfillOf(field: Field, now: Field) {
  const value = now.default?.kind === 'literal' ? now.default.value : undefined;
  return now.backfill ?? field.backfill ?? (field.default === undefined ? value : undefined);
}

function shapeOf(field: Field, app: App): string {
  const { type, min, max } = field;
  return JSON.stringify([type, min, max, valuesOf(field, app)]);
}

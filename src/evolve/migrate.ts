import type { App } from '../model/app.ts';
import { carriedIds } from '../model/carry.ts';
import { type Change, placeName } from './changes/change.ts';
import { dialects } from './dialects.ts';
import { acceptanceKey, type Hazard, needsAcceptance } from './hazards/hazard.ts';
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
import { schemaName } from '../naming/name.ts';

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
interface Head {
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

const longest = 60;

/** Rules for a field; what is said of a field is not said again of its rules. */
const rules: ReadonlySet<string> = new Set(['index', 'key', 'unique']);

/** `rename_post_title`, `add_post_subtitle_and_2_more`: for the eye, ids being told apart by their number. */
function migrationName(changes: readonly Change[], given?: string): string {
  if (given !== undefined) return cut(slug(given));
  const [first, second, ...others] = [...new Set(changeNames(changes))];
  if (first === undefined) return 'change_tables';
  if (second === undefined) return cut(first);
  const both = `${first}_and_${second}`;
  return others.length === 0 && both.length <= longest
    ? both
    : `${cut(first)}_and_${others.length + 1}_more`;
}

function changeNames(changes: readonly Change[]): readonly string[] {
  const fields = new Set(changes.filter((it) => !isRule(it)).map(shortName));
  return changes.map((change) => {
    const short = shortName(change);
    return isRule(change) && !fields.has(short) ? `${change.kind}_${slug(subject(change))}` : short;
  });
}

function isRule({ kind }: Change): boolean {
  return rules.has(kind.split('_')[1] ?? '');
}

function shortName(change: Change): string {
  const [verb = 'change'] = change.kind.split('_');
  return `${verb}_${slug(subject(change))}`;
}

/** What is renamed goes by its former name: the new one is in the file. */
function subject(change: Change): string {
  switch (change.kind) {
    case 'rename_field':
      return placeName(change.before);
    case 'rename_model':
      return schemaName(change.before);
    case 'rename_value':
      return `${change.before.enum.name}.${change.before.value}`;
    default:
      return change.target;
  }
}

function slug(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '');
  const words = plain.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1_$2').toLowerCase();
  return words.replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '') || 'value';
}

function cut(name: string): string {
  return name.slice(0, longest).replace(/_+$/, '');
}

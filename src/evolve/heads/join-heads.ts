import { present } from '../../present.ts';
import type { App } from '../../model/app.ts';
import { type CarriedIds, readCarriedIds, restoreIds } from '../../model/carried-ids.ts';
import { type NewMigration, joinMigration } from '../make-migration.ts';
import { isSum } from './is-sum.ts';
import {
  type FileEdit,
  findAppAfter,
  numberOf,
  placeBehind,
  makeRefusal,
  type StoredMigration,
} from './stored-migrations.ts';
import { type Fork, splitHeads, type MigrationHistory } from './split-heads.ts';

export interface HistoryAndSchema extends MigrationHistory {
  /** The app of the record. */
  readonly before: App;
  /** The app of the new schema, with fresh ids. */
  readonly built: App;
  readonly schemaText: string;
  readonly name?: string;
  /** Keys such as `SCF514:0002_theirs`, which allow that migration and later ones to be rewritten. */
  readonly accepted: readonly string[];
}

/** What comes before the next migration. */
export interface Join {
  readonly before: App;
  /** The id of the last migration. */
  readonly head: string;
  /** The number of the next migration. */
  readonly sequence: number;
  /** Files below `migrations/` with a new text. */
  readonly edits: readonly FileEdit[];
  readonly removed: readonly string[];
  /** The key that chose the order of the branches: `SCF514:0002_theirs`. */
  readonly chosen?: string;
  /** A migration that joins both branches, if there is nothing else to migrate. */
  readonly newMigration?: NewMigration;
}

/**
 * Joins two merged branches that each added migrations. If the order does not matter, theirs follow ours unchanged;
 * otherwise somebody has to choose which ones are rewritten.
 */
export function joinHeads(histories: HistoryAndSchema): Join {
  const { migrations, recorded, before } = histories;
  const { ours, branches } = splitHeads(migrations, recorded);
  const numbers = [...migrations.map(({ id }) => id), ...recorded].map(numberOf);
  const start: Join = {
    before,
    head: ours.at(-1)?.id ?? recorded.toSorted().at(-1) ?? '',
    sequence: Math.max(0, ...numbers) + 1,
    edits: [],
    removed: [],
  };
  const [fork, another] = branches;
  if (fork === undefined) return start;
  if (another !== undefined) {
    throw makeRefusal(
      `More than two branches meet: ${branches.map(({ theirs }) => `\`${theirs.at(-1)?.id}\``).join(', ')}.`,
      'Merge one branch, run `npx scaffold regenerate` and commit; then the next.',
    );
  }
  const isBehind = (fork.shared.at(-1)?.id ?? start.head) === start.head;
  return isBehind ? continueFrom(start, fork) : joinBranches(histories, start, fork);
}

/** For a branch that already follows ours. */
function continueFrom(join: Join, { theirs }: Fork): Join {
  const before = withUnwritten(lastApp(theirs) ?? join.before, join.before);
  return { ...join, before, head: theirs.at(-1)?.id ?? join.head };
}

/** Copies settings that the schema does not contain: the former engine, and the package manager. */
function withUnwritten(app: App, { formerDatabase, packageManager }: App): App {
  return { ...app, ...present({ formerDatabase, packageManager }) };
}

function joinBranches(histories: HistoryAndSchema, join: Join, fork: Fork): Join {
  const { built, schemaText, name } = histories;
  const { theirs } = fork;
  const head = theirs.at(-1)?.id ?? join.head;
  const edits = theirs.slice(0, 1).map((first) => placeBehind(first, join.head));
  const behind = { ...join, head, edits };
  const there = lastApp(theirs);
  if (there === undefined) return behind;
  const was = lastApp(fork.shared) ?? there;
  const ids = bothIds(readCarriedIds(was), readCarriedIds(join.before), readCarriedIds(there));
  const sum = restoreIds(built, ids);
  const apps = { was, ours: [...appsAfter(fork.ours), join.before], theirs: appsAfter(theirs) };
  const areAdditions = [...fork.ours, ...theirs].every((it) => it.isAddition);
  if (!isSum({ ...apps, areAdditions }, sum)) return chooseOne(histories, join, fork);
  const options = { sequence: join.sequence, schemaText, ...present({ name }), parent: head };
  const before = withUnwritten(sum, join.before);
  return { ...behind, before, newMigration: joinMigration(before, options) };
}

/** The ids of both branches, where they differ from the common ones. */
function bothIds(was: CarriedIds, ours: CarriedIds, theirs: CarriedIds): CarriedIds {
  const names = Object.keys({ ...was, ...ours, ...theirs });
  const idOf = (name: string) => (theirs[name] === was[name] ? ours : theirs)[name];
  return Object.fromEntries(
    names.flatMap((name) => {
      const id = idOf(name);
      return id === undefined ? [] : [[name, id] as const];
    }),
  );
}

/** Rewrites the changes of one branch after those of the other. */
function chooseOne({ accepted }: HistoryAndSchema, join: Join, fork: Fork): Join {
  const [ours, theirs] = [fork.ours, fork.theirs].map((branch) => branch.map(({ id }) => id));
  const [rewriteTheirs, rewriteOurs] = [theirs, ours].map((ids) => `SCF514:${ids?.[0]}`);
  const isAgreed = (key = '') => accepted.includes(key);
  if (isAgreed(rewriteTheirs))
    return {
      ...join,
      removed: listMigrationFiles(fork.theirs),
      ...present({ chosen: rewriteTheirs }),
    };
  if (isAgreed(rewriteOurs))
    return {
      ...continueFrom(join, fork),
      removed: listMigrationFiles(fork.ours),
      ...present({ chosen: rewriteOurs }),
    };
  throw makeRefusal(
    `\`migrations/${theirs?.[0]}\` cannot follow \`migrations/${ours?.at(-1)}\` as it is: both branches changed the same table, or the schema has the changes of neither.`,
    `\`--accept SCF514:${theirs?.[0]}\` rewrites ${theirs?.join(', ')}, \`--accept SCF514:${ours?.[0]}\` rewrites ${ours?.join(', ')}, to come after the others. Choose those that fewer databases have applied, and roll them back there first; \`npx scaffold explain SCF514\` says more.`,
  );
}

function listMigrationFiles(migrations: readonly StoredMigration[]): readonly string[] {
  return migrations.flatMap(({ id, texts }) =>
    Object.keys(texts).map((file) => `migrations/${id}/${file}`),
  );
}

/** The app after the last generated migration. */
function lastApp(migrations: readonly StoredMigration[]): App | undefined {
  const last = migrations.findLast(({ texts }) => texts['schema.yaml'] !== undefined);
  return last && findAppAfter(last);
}

function appsAfter(migrations: readonly StoredMigration[]): readonly App[] {
  return migrations.flatMap((it) => findAppAfter(it) ?? []);
}

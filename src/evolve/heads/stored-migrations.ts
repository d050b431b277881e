import { z } from 'zod';
import { UserError, exitCode } from '../../errors.ts';
import type { App } from '../../model/app.ts';
import { buildApp } from '../../model/build.ts';
import { type CarriedIds, restoreIds } from '../../model/carry.ts';
import { parseSchema } from '../../schema/parse.ts';
import { checksum, type Migration, type Warning } from '../migration.ts';

/** The migrations of a project. */
export interface History {
  /** Every folder of `migrations/` with an `up.sql`. */
  readonly migrations: readonly StoredMigration[];
  /** Ids of those that the record knows: ours. */
  readonly recorded: readonly string[];
}

/** Where another branch leaves ours. */
export interface Fork {
  /** From the first migration to the last one that both have; none where the other branch has put its history together. */
  readonly shared: readonly StoredMigration[];
  readonly ours: readonly StoredMigration[];
  readonly theirs: readonly StoredMigration[];
}

/** Ours go from the first migration to the last one that the record knows; branches are what others have added. */
export function findHeads(migrations: readonly StoredMigration[], recorded: readonly string[]) {
  const byId = new Map(migrations.map((it) => [it.id, it]));
  const parents = new Set(migrations.map(({ parent }) => parent));
  const ends = migrations.filter(({ id }) => !parents.has(id));
  const known = migrations.filter(({ id }) => recorded.includes(id));
  const followed = new Set(known.map(({ parent }) => parent));
  const head = known.findLast(({ id }) => !followed.has(id));
  if (head === undefined) return { ours: [], branches: squashedBranches(ends, recorded, byId) };
  const ours = chainTo(head, byId);
  return {
    ours,
    branches: ends.filter((it) => !ours.includes(it)).map((end) => forkTo(end, ours, byId)),
  };
}

/** The other branch has put its history together, and nothing of ours has a folder any more. */
function squashedBranches(
  ends: readonly StoredMigration[],
  recorded: readonly string[],
  byId: ReadonlyMap<string, StoredMigration>,
): readonly Fork[] {
  return ends
    .map((end) => ({ shared: [], ours: [], theirs: chainTo(end, byId) }))
    .filter(({ theirs }) => theirs.some((it) => it.replaces.some((id) => recorded.includes(id))));
}

function forkTo(
  end: StoredMigration,
  ours: readonly StoredMigration[],
  byId: ReadonlyMap<string, StoredMigration>,
): Fork {
  const chain = chainTo(end, byId);
  const shared = ours.filter((it) => chain.includes(it));
  const place = shared.length;
  if (place > 0) return { shared, ours: ours.slice(place), theirs: chain.slice(place) };
  throw refusal(
    `\`migrations/${end.id}\` is not connected to the other migrations.`,
    'Remove the folders of the history that is not the project’s.',
  );
}

function chainTo(
  end: StoredMigration,
  byId: ReadonlyMap<string, StoredMigration>,
): readonly StoredMigration[] {
  const chain = [end];
  for (;;) {
    const [first = end] = chain;
    if (first.parent === null) return chain;
    const parent = byId.get(first.parent);
    if (parent === undefined || chain.includes(parent)) throw noWay(first, [...byId.values()]);
    chain.unshift(parent);
  }
}

/** Of a branch whose commits come one after the other, as in a rebase, an earlier run may have joined the first ones. */
function noWay({ id, parent }: StoredMigration, all: readonly StoredMigration[]): UserError {
  const next = all.find((it) => parent !== null && it.replaces.includes(parent));
  if (next === undefined) {
    const follows = `\`migrations/${id}\` follows \`${parent}\``;
    if (all.some((it) => it.id === parent)) return refusal(`${follows}, and that follows it.`);
    return refusal(
      `${follows}, which is not there.`,
      `Restore \`migrations/${parent}\` from version control. Or, when \`${id}\` was picked without it and no database has applied it, remove \`migrations/${id}\`: \`npx scaffold regenerate\` makes what it did again.`,
    );
  }
  return refusal(
    `\`migrations/${id}\` follows \`${parent}\`, which \`${next.id}\` has replaced.`,
    `Remove \`migrations/${id}\` and run \`npx scaffold regenerate\` again: what it did is written again. Where a database has applied it, take it back there first, with the code from before: \`npm run db:rollback\`.`,
  );
}

/** A migration as it lies on the disk: somebody may have edited it, or written it. */
export interface StoredMigration {
  readonly id: string;
  readonly parent: string | null;
  /** Whether it says so itself; otherwise its name does. */
  readonly isPlaced: boolean;
  readonly operations: readonly Operation[];
  readonly accepted: readonly string[];
  readonly formerly: readonly string[];
  /** Whether it only adds to tables, and rebuilds none of them. */
  readonly isAddition: boolean;
  readonly replaces: readonly string[];
  /** Whether its SQL is not, or not quite, what was generated. */
  readonly isEdited: boolean;
  /** By the names of its files. */
  readonly texts: Texts;
  readonly ids: CarriedIds;
  readonly layout: number;
}

/** What it did, in words of the schema. */
interface Operation {
  readonly kind: string;
  readonly target: string;
}

type Texts = Readonly<Record<string, string>>;

interface Folder {
  readonly id: string;
  readonly texts: Texts;
}

/**
 * In the order of their names. One that was written by hand needs no `meta.json`: it follows the one before it. After a
 * merge that may be one of another branch; the record tells which are ours.
 */
export function readMigrations(
  folders: readonly Folder[],
  recorded: readonly string[] = [],
): readonly StoredMigration[] {
  const isOurs = ({ id }: Folder) => recorded.includes(id);
  const migrations = folders
    .toSorted((left, right) => (left.id < right.id ? -1 : 1))
    .map((folder, index, all) => {
      const before = all.slice(0, index);
      const previous = before.findLast((it) => isOurs(it) === isOurs(folder)) ?? before.at(-1);
      return readMigration(folder, previous?.id ?? null);
    });
  for (const migration of migrations) refuseUnclear(migration, migrations, recorded);
  return migrations;
}

/** It begins what another branch has added, where ours has one of the same number. */
function refuseUnclear(
  { id, parent, isPlaced }: StoredMigration,
  all: readonly StoredMigration[],
  recorded: readonly string[],
): void {
  if (isPlaced || parent === null || recorded.includes(id) || !recorded.includes(parent)) return;
  if (numberOf(parent) !== numberOf(id) || !all.some((it) => it.parent === id)) return;
  throw refusal(
    `\`migrations/${id}\` came from another branch, and does not say which migration it follows.`,
    `Write \`{ "parent": "…" }\` into \`migrations/${id}/meta.json\`, with the last migration that was in both branches, and run \`npx scaffold regenerate\` again.`,
  );
}

export function numberOf(id: string): number {
  return Number.parseInt(id, 10) || 0;
}

/** What the names say of those that were written by hand, for them to say it themselves: names of a branch may come between. */
export function placesOf(migrations: readonly StoredMigration[]): readonly Edit[] {
  return migrations.filter(({ isPlaced }) => !isPlaced).map((it) => placeBehind(it, it.parent));
}

/** The text of a file below `migrations/`. */
export interface Edit {
  readonly path: string;
  readonly content: string;
}

export function placeBehind({ id, texts }: StoredMigration, parent: string | null): Edit {
  const meta: unknown = JSON.parse(texts['meta.json'] ?? '{}');
  const content = `${JSON.stringify({ ...Object(meta), parent }, null, 2)}\n`;
  return { path: `migrations/${id}/meta.json`, content };
}

/** The app whose tables the database has after it; undefined for one that was written by hand. */
export function appAfter({ id, texts, ids, layout }: StoredMigration): App | undefined {
  const text = texts['schema.yaml'];
  if (text === undefined) return undefined;
  const { schema, problems } = parseSchema(text);
  if (schema !== undefined) return { ...restoreIds(buildApp(schema), ids), layout };
  const [problem] = problems;
  throw refusal(`\`migrations/${id}/schema.yaml\` cannot be read: ${problem?.message ?? ''}`);
}

/** Migrations of the record that are gone, and nothing is in their place: the next one passes over what they did. */
export function reportGone(
  { migrations, recorded }: History,
  { migration }: { readonly migration: Pick<Migration, 'id'> },
): readonly Warning[] {
  const last = migrations.at(-1)?.id ?? '';
  const replaced = migrations.flatMap(({ replaces }) => replaces);
  const gone = recorded.filter((id) => id > last && !replaced.includes(id));
  return gone.map((id) => ({
    code: 'SCF514',
    message: `\`migrations/${id}\` is gone, and \`${migration.id}\` does not do what it did: a new database would lack that.`,
    help: 'Take this run back with `npx scaffold regenerate --undo`, restore the folder from version control, and run it again. Where a migration of your own does the same, all is well.',
  }));
}

export function refusal(message: string, help = 'Restore it from version control.'): UserError {
  return new UserError('SCF514', message, { exit: exitCode.decision, help });
}

function readMigration({ id, texts }: Folder, previous: string | null): StoredMigration {
  const { parent, checksums, additive, rebuilt, ...facts } = readMeta(id, texts['meta.json']);
  const isPlaced = parent !== undefined;
  const isEdited = ['up.sql', 'instead.sql'].some((name) => {
    const text = texts[name];
    return text !== undefined && checksums[name] !== checksum(text);
  });
  const isAddition = additive && rebuilt === undefined && !isEdited;
  const place = { id, parent: isPlaced ? parent : previous, isPlaced };
  return { ...place, ...facts, isAddition, isEdited, texts };
}

function readMeta(id: string, text: string | undefined) {
  const result = shape.safeParse(text === undefined ? {} : parseJson(text));
  if (result.success) return result.data;
  const isMerged = /^<{7} /m.test(text ?? '');
  throw refusal(
    `\`migrations/${id}/meta.json\` ${isMerged ? 'has the markers of a merge in it: both branches made a migration of this name' : 'is damaged'}.`,
    isMerged
      ? `Take the folder of one side whole: \`git checkout --ours -- migrations/${id}\`.`
      : undefined,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const shape = z.object({
  parent: z.string().nullable().optional(),
  operations: z.array(z.object({ kind: z.string(), target: z.string() })).default([]),
  accepted: z.array(z.string()).default([]),
  formerly: z.array(z.string()).default([]),
  replaces: z.array(z.string()).default([]),
  additive: z.boolean().default(false),
  rebuilt: z.unknown().optional(),
  ids: z.record(z.string(), z.string()).default({}),
  layout: z.int().positive().default(1),
  checksums: z.record(z.string(), z.string()).default({}),
});

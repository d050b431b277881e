import { UserError } from '../../errors.ts';
import type { Migration, Warning } from '../migration.ts';
import { type StoredMigration, makeRefusal } from './stored-migrations.ts';

export interface MigrationHistory {
  /** Folders of `migrations/` that have an `up.sql`. */
  readonly migrations: readonly StoredMigration[];
  /** Ids of the migrations in the record, which are ours. */
  readonly recorded: readonly string[];
}

/** Where another branch leaves ours. */
export interface Fork {
  /** The migrations that both have, in order; empty if the other branch has squashed its history. */
  readonly shared: readonly StoredMigration[];
  readonly ours: readonly StoredMigration[];
  readonly theirs: readonly StoredMigration[];
}

/** Splits migrations into ours, up to the last one in the record, and branches that others have added. */
export function splitHeads(migrations: readonly StoredMigration[], recorded: readonly string[]) {
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

/** Branches that squashed the history, if none of our folders is left. */
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
  const count = shared.length;
  if (count > 0) return { shared, ours: ours.slice(count), theirs: chain.slice(count) };
  throw makeRefusal(
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
    if (parent === undefined || chain.includes(parent))
      throw noForkError(first, [...byId.values()]);
    chain.unshift(parent);
  }
}

/** In a rebase, the commits of a branch arrive one by one, so an earlier run may have joined some of them. */
function noForkError({ id, parent }: StoredMigration, all: readonly StoredMigration[]): UserError {
  const next = all.find((it) => parent !== null && it.replaces.includes(parent));
  if (next === undefined) {
    const follows = `\`migrations/${id}\` follows \`${parent}\``;
    if (all.some((it) => it.id === parent))
      return makeRefusal(`\`migrations/${id}\` and \`${parent}\` each name the other as parent.`);
    return makeRefusal(
      `${follows}, which does not exist.`,
      `Restore \`migrations/${parent}\` from version control. Or, if \`${id}\` was cherry-picked without it and no database has applied it, remove \`migrations/${id}\`: \`npx scaffold regenerate\` writes its changes again.`,
    );
  }
  return makeRefusal(
    `\`migrations/${id}\` follows \`${parent}\`, which \`${next.id}\` has replaced.`,
    `Remove \`migrations/${id}\` and run \`npx scaffold regenerate\` again: its changes are then written again. If a database has applied it, first roll it back there, with the code from before: \`npm run db:rollback\`.`,
  );
}

/** Warns about recorded migrations whose folder is gone. The next migration does not repeat their changes. */
export function listMissingMigrationWarnings(
  { migrations, recorded }: MigrationHistory,
  { migration }: { readonly migration: Pick<Migration, 'id'> },
): readonly Warning[] {
  const last = migrations.at(-1)?.id ?? '';
  const replaced = migrations.flatMap(({ replaces }) => replaces);
  const gone = recorded.filter((id) => id > last && !replaced.includes(id));
  return gone.map((id) => ({
    code: 'SCF514',
    message: `\`migrations/${id}\` is gone, and \`${migration.id}\` does not repeat its changes: a new database would lack them.`,
    help: 'Undo this run with `npx scaffold regenerate --undo`, restore the folder from version control, and run it again. If a migration of your own makes the same changes, there is nothing to do.',
  }));
}

import type { UserError } from '../../errors.ts';
import { refusal, type StoredMigration } from './stored-migration.ts';

/** The history that a project has on the disk. */
export interface Heads {
  /** From the first migration to the last one that the record knows. */
  readonly ours: readonly StoredMigration[];
  /** What another branch has added, each from where it leaves ours. */
  readonly branches: readonly Branch[];
}

export interface Branch {
  /** The last migration that both have. */
  readonly fork: StoredMigration;
  readonly theirs: readonly StoredMigration[];
}

export function findHeads(
  migrations: readonly StoredMigration[],
  recorded: readonly string[],
): Heads {
  const byId = new Map(migrations.map((it) => [it.id, it]));
  const parents = new Set(migrations.map(({ parent }) => parent));
  const ends = migrations.filter(({ id }) => !parents.has(id));
  const known = migrations.filter(({ id }) => recorded.includes(id));
  const followed = new Set(known.map(({ parent }) => parent));
  const head = known.findLast(({ id }) => !followed.has(id));
  if (head === undefined) return { ours: [], branches: [] };
  const ours = chainTo(head, byId);
  return {
    ours,
    branches: ends.filter((it) => !ours.includes(it)).map((end) => branchTo(end, ours, byId)),
  };
}

function branchTo(
  end: StoredMigration,
  ours: readonly StoredMigration[],
  byId: ReadonlyMap<string, StoredMigration>,
): Branch {
  const chain = chainTo(end, byId);
  const fork = ours.findLast((it) => chain.includes(it));
  if (fork !== undefined) return { fork, theirs: chain.slice(chain.indexOf(fork) + 1) };
  throw refusal(
    `\`migrations/${end.id}\` belongs to another history than the others.`,
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
    `\`migrations/${id}\` follows \`${parent}\`, in whose place is \`${next.id}\` now.`,
    `Remove \`migrations/${id}\` and run \`npx scaffold regenerate\` again: what it did is written again. Where a database has applied it, take it back there first: \`npm run db:rollback\`.`,
  );
}

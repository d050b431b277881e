import { type AppliedMigration, nextRun } from '../../../runner/history.ts';
import { readMigrations } from '../../../runner/read.ts';
import type { Store } from './store.ts';

/** Runs what an emitted project's runner would run, one after the other; returns what is applied afterwards. */
export async function applyHistory(
  store: Store,
  folder: string,
  before: readonly AppliedMigration[],
): Promise<readonly AppliedMigration[]> {
  const history = { migrations: readMigrations(folder), schema: undefined };
  let applied = before;
  for (;;) {
    const run = nextRun(history, applied);
    if (run === undefined) return applied;
    const { id, sql, checks, adds, removes } = run;
    const meta = JSON.stringify({ hazards: checks });
    await store.apply({ id, files: { 'up.sql': sql, 'meta.json': meta, 'schema.yaml': '' } });
    applied = [...applied.filter((it) => !removes.includes(it.id)), ...adds];
  }
}

import type { App } from '../../model/app.ts';
import { dialects } from '../dialects.ts';
import { shapeOf } from '../tables/shape.ts';
import { appTables } from '../tables/app-tables.ts';

interface Branches {
  readonly fork: App;
  readonly ours: App;
  readonly theirs: App;
  readonly sum: App;
}

/**
 * Whether two branches have changed different tables, and an app has those of both as each has left them: then it does
 * not matter in which order a database gets their migrations.
 */
export function isSum({ fork, ours, theirs, sum }: Branches): boolean {
  const [was, here, there] = [shapes(fork), shapes(ours), shapes(theirs)];
  const isChanged = (id: string, now: ReadonlyMap<string, string>) => was.get(id) !== now.get(id);
  const ids = [...new Set([...was.keys(), ...here.keys(), ...there.keys()])];
  if (ids.some((id) => isChanged(id, here) && isChanged(id, there))) return false;
  const added = ids.flatMap((id) => (isChanged(id, there) ? there : here).get(id) ?? []);
  return added.toSorted().join('\n') === [...shapes(sum).values()].toSorted().join('\n');
}

/** By the ids of the tables. */
function shapes(app: App): ReadonlyMap<string, string> {
  const tables = appTables(app, dialects[app.database]);
  return new Map(tables.map((table) => [table.id, shapeOf(table)]));
}

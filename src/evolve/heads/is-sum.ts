import type { App } from '../../model/app.ts';
import { dialects } from '../dialects.ts';
import { shapeOf } from '../tables/shape.ts';
import { appTables } from '../tables/app-tables.ts';

interface Branches {
  readonly fork: App;
  /** After each migration. */
  readonly ours: readonly App[];
  readonly theirs: readonly App[];
  readonly sum: App;
}

/**
 * Whether two branches have changed different tables, and an app has those of both as each has left them: then it does
 * not matter in which order a database gets their migrations. What a branch has changed and taken back, it has changed.
 */
export function isSum({ fork, ours, theirs, sum }: Branches): boolean {
  const was = shapes(fork);
  const [here, there] = [ours.map(shapes), theirs.map(shapes)];
  const ids = [...new Set([was, ...here, ...there].flatMap((tables) => [...tables.keys()]))];
  const isChanged = (id: string, way: readonly Shapes[]) =>
    way.some((tables) => tables.get(id) !== was.get(id));
  if (ids.some((id) => isChanged(id, here) && isChanged(id, there))) return false;
  const added = ids.flatMap((id) => (isChanged(id, there) ? there : here).at(-1)?.get(id) ?? []);
  return added.toSorted().join('\n') === [...shapes(sum).values()].toSorted().join('\n');
}

/** By the ids of the tables. */
type Shapes = ReadonlyMap<string, string>;

function shapes(app: App): Shapes {
  const tables = appTables(app, dialects[app.database]);
  return new Map(tables.map((table) => [table.id, shapeOf(table)]));
}

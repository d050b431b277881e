import type { App } from '../model/app.ts';
import { dialects } from './dialects.ts';
import type { Table } from './table.ts';
import { appTables } from './tables.ts';

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

/** What a database knows of each table, by its id; columns stand in any order. */
function shapes(app: App): ReadonlyMap<string, string> {
  const tables = appTables(app, dialects[app.database]);
  return new Map(tables.map((table) => [table.id, JSON.stringify(shapeOf(table))]));
}

function shapeOf({ name, columns, primaryKey, checks, foreignKeys, indexes }: Table) {
  const facts = columns.map((column) => [
    column.name,
    column.type,
    column.nullable,
    column.generated,
    column.default,
  ]);
  return [
    name,
    sorted(facts),
    primaryKey,
    sorted(checks),
    sorted(
      foreignKeys.map(({ name: rule, column, table, onDelete, deferred }) => [
        rule,
        column,
        table,
        onDelete,
        deferred,
      ]),
    ),
    sorted(indexes),
  ];
}

function sorted(things: readonly unknown[]): readonly string[] {
  return things.map((thing) => JSON.stringify(thing)).toSorted();
}

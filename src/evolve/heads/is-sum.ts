import type { App } from '../../model/app.ts';
import { appTables } from '../tables/app-tables.ts';
import { tableParts, type TablePart } from '../tables/differences.ts';

/**
 * Whether `sum` is the result of both branches in any order: they changed different tables, or added different things
 * to one. `was`: the app before both; `ours`, `theirs`: the app after each migration, since a reverted change counts
 * too.
 */
export function isSum(
  ways: {
    readonly was: App;
    readonly ours: readonly App[];
    readonly theirs: readonly App[];
    readonly areAdditions: boolean;
  },
  sum: App,
): boolean {
  const was = partsOfApp(ways.was);
  const [here, there] = [ways.ours.map(partsOfApp), ways.theirs.map(partsOfApp)];
  const tables = new Map(
    [was, ...here, ...there].flatMap((parts) =>
      [...parts.values()].map(({ name, table }) => [name, table]),
    ),
  );
  const names = [...tables.keys()];
  const changedOn = (way: readonly TableParts[]) =>
    names.filter((name) =>
      way.some((parts) => parts.get(name)?.definition !== was.get(name)?.definition),
    );
  const [ours, theirs] = [changedOn(here), new Set(changedOn(there))];
  const theirTables = new Set([...theirs].map((name) => tables.get(name)));
  if (
    ours.some((name) => (ways.areAdditions ? theirs.has(name) : theirTables.has(tables.get(name))))
  )
    return false;
  const expected = names.flatMap((name) => {
    return (theirs.has(name) ? there : here).at(-1)?.get(name) ?? [];
  });
  const parts = partsOfApp(sum);
  return (
    expected.length === parts.size &&
    expected.every(({ name, definition }) => parts.get(name)?.definition === definition)
  );
}

type TableParts = ReadonlyMap<string, TablePart>;

function partsOfApp(app: App): TableParts {
  const parts = appTables(app).flatMap(tableParts);
  return new Map(parts.map((it) => [it.name, it]));
}

import { type App, type Field, findFieldFor, type Model } from '../../model/app.ts';

/** The usual names of the times that the server keeps, for files that are about all models. */
export function timesView(app: App) {
  const created = usual(app, 'created_at', 'column');
  const updated = usual(app, 'updated_at', 'column');
  const [stamp, deletion] = [usual(app, 'updated_at', 'name'), usual(app, 'deleted_at', 'name')];
  const areOdd = app.models.some((model) => oddTimes(model, app) !== undefined);
  return { created, updated, stamp, deletion, areOdd };
}

/** What a model's tests need to know: the times that it calls something else. */
export function oddTimes(model: Model, app: App) {
  const odd = (role: Field['role']) => {
    const name = findFieldFor(model, role)?.name;
    return name === usual(app, role, 'name') ? undefined : name;
  };
  const [stamp, deletion] = [odd('updated_at'), odd('deleted_at')];
  return (stamp ?? deletion) ? { stamp, deletion } : undefined;
}

const usual = (app: App, role: Field['role'], spelling: 'name' | 'column') =>
  mostFrequent(
    app.models.flatMap((model) => findFieldFor(model, role)?.[spelling] ?? []),
    role,
  );

/** The first of those that are there most often. */
function mostFrequent(names: readonly string[], instead: string): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const [[most = instead] = []] = [...counts].toSorted(([, one], [, other]) => other - one);
  return most;
}

import { type App, type Field, fieldFor, type Model } from '../../model/app.ts';

/** What most models call the times that the server keeps of their rows, for files that are about all of them. */
export function timesView(app: App) {
  const { created, updated } = usualColumns(app);
  const [stamp, deletion] = [usualName(app, 'updated_at'), usualName(app, 'deleted_at')];
  const areOdd = app.models.some((model) => oddTimes(model, app) !== undefined);
  return { created, updated, stamp, deletion, areOdd };
}

/** What a model's tests need to know: the times that it calls something else. */
export function oddTimes(model: Model, app: App) {
  const odd = (role: Field['role']) => {
    const name = fieldFor(model, role)?.name;
    return name === usualName(app, role) ? undefined : name;
  };
  const [stamp, deletion] = [odd('updated_at'), odd('deleted_at')];
  return (stamp ?? deletion) ? { stamp, deletion } : undefined;
}

const usualColumns = (app: App) => ({
  created: mostFrequent(
    fieldsFor(app, 'created_at').map(({ column }) => column),
    'created_at',
  ),
  updated: mostFrequent(
    fieldsFor(app, 'updated_at').map(({ column }) => column),
    'updated_at',
  ),
});

const usualName = (app: App, role: Field['role']) =>
  mostFrequent(
    fieldsFor(app, role).map(({ name }) => name),
    role,
  );

const fieldsFor = ({ models }: App, role: Field['role']) =>
  models.flatMap((model) => fieldFor(model, role) ?? []);

/** The first of those that are there most often. */
function mostFrequent(names: readonly string[], instead: string): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const [[most = instead] = []] = [...counts].toSorted(([, one], [, other]) => other - one);
  return most;
}

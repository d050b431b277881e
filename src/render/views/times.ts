import type { App, Field, Model } from '../../model/app.ts';
import { findFieldByRole } from '../../model/lookups.ts';
import { rememberPer } from '../../remember.ts';
import { countEach } from '../../words.ts';

/** The usual names of the times that the server keeps, for files that are about all models. */
export function timesView(app: App) {
  const areOdd = app.models.some((model) => findOddTimes(model, app) !== undefined);
  return { ...timeNames(app), areOdd };
}

/** What a model's tests need to know: the times that it calls something else. */
export function findOddTimes(model: Model, app: App) {
  const usual = timeNames(app);
  const odd = (role: Field['role'], name: string) => {
    const own = findFieldByRole(model, role)?.name;
    return own === name ? undefined : own;
  };
  const stamp = odd('updated_at', usual.stamp);
  const deletion = odd('deleted_at', usual.deletion);
  return (stamp ?? deletion) ? { stamp, deletion } : undefined;
}

const timeNames = rememberPer((app: App) => ({
  created: mostFrequent(app, 'created_at', 'column'),
  updated: mostFrequent(app, 'updated_at', 'column'),
  stamp: mostFrequent(app, 'updated_at', 'name'),
  deletion: mostFrequent(app, 'deleted_at', 'name'),
}));

/** The first of those that are there most often. */
function mostFrequent({ models }: App, role: Field['role'], spelling: 'name' | 'column'): string {
  const names = models.flatMap((model) => findFieldByRole(model, role)?.[spelling] ?? []);
  const counts = [...countEach(names)].toSorted(([, one], [, other]) => other - one);
  return counts[0]?.[0] ?? role;
}

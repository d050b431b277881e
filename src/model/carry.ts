import { present } from '../present.ts';
import type { App } from './app.ts';
import { identities, restoreIds } from './carried-ids.ts';
import { formerIds } from './former-ids.ts';
import type { Rename } from './rename.ts';

/**
 * The new app, just built, with the ids of the old one for everything that is the same: it kept its name, or `was` or
 * `renames` names it. New things get unused ids. A relation to another model is another relation. The former engine and
 * the package manager are carried as well.
 */
export function carryIds(previous: App, next: App, renames: readonly Rename[] = []): App {
  const former = formerIds(previous, next, renames);
  const newId = idSource(previous);
  const ids = identities(next).map(
    ([fresh]) => [fresh, former.get(fresh) ?? newId(fresh)] as const,
  );
  const isMoved = previous.database !== next.database;
  return {
    ...restoreIds(next, Object.fromEntries(ids)),
    ...present({
      formerDatabase: isMoved ? previous.database : previous.formerDatabase,
      packageManager: previous.packageManager,
    }),
  };
}

/** Gives out ids that nothing of the app has: `field:Post.title`, and when that is taken `field:Post.title~2`. */
function idSource(app: App): (wanted: string) => string {
  const taken = new Set(identities(app).map(([, id]) => id));
  return (wanted) => {
    let id = wanted;
    for (let count = 2; taken.has(id); count += 1) id = `${wanted}~${count}`;
    taken.add(id);
    return id;
  };
}

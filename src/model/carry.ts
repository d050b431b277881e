import { present } from '../present.ts';
import type { App } from './app.ts';
import { listIds, restoreIds } from './carried-ids.ts';
import { matchFormerIds } from './former-ids.ts';
import type { Rename } from './rename.ts';

/**
 * Gives a newly built app the ids of the old one, for everything that kept its name or was renamed by `was` or
 * `renames`. New things get unused ids. A relation with another target is a new relation. Also carries the former
 * engine and the package manager.
 */
export function carryIds(previous: App, next: App, renames: readonly Rename[] = []): App {
  const former = matchFormerIds(previous, next, renames);
  const newId = idSource(previous);
  const ids = listIds(next).map(([fresh]) => [fresh, former.get(fresh) ?? newId(fresh)] as const);
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
  const taken = new Set(listIds(app).map(([, id]) => id));
  return (wanted) => {
    let id = wanted;
    for (let count = 2; taken.has(id); count += 1) id = `${wanted}~${count}`;
    taken.add(id);
    return id;
  };
}

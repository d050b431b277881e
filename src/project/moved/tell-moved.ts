import type { Disk } from '../disk.ts';
import type { Fate } from '../plan/fate.ts';
import type { Change } from '../plan.ts';
import type { Project } from '../read-project.ts';

/** Says of each file that its owner has moved where it comes from, once: what follows it from now on is no news. */
export function tellMoved(
  fates: readonly Fate[],
  { moved = new Map() }: Project,
  disk: Disk,
): readonly Fate[] {
  return fates.map((fate) => {
    const origin = moved.get(fate.change?.from ?? fate.path);
    if (origin === undefined) return fate;
    const change = fate.change ?? noticed(fate, disk);
    const news = told(change, `You moved it from \`${origin}\`.`);
    return { ...fate, change: { ...change, ...news, movedFrom: origin } };
  });
}

function noticed({ path, recorded }: Fate, disk: Disk): Change {
  const found = disk(path);
  const text = found?.kind === 'text' ? { before: found.text, after: found.text } : {};
  const model = recorded?.model;
  const facts = { path, ...(model !== undefined && { model }), conflicts: [] };
  const mode = found?.kind === 'text' ? found.mode : '644';
  return { ...facts, action: 'adopt', reason: 'It is followed.', ...text, mode };
}

/** To move it was an edit. */
function told({ action, reason }: Change, sentence: string): Pick<Change, 'action' | 'reason'> {
  if (action !== 'update') return { action, reason: `${sentence} ${reason}` };
  return { action: 'merge', reason: `${sentence} It has what changed.` };
}

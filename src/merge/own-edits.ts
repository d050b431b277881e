import type { ThreeTexts } from './conflict.ts';
import type { Stretch } from './markers.ts';
import { changedLines, lines, squeeze } from './text.ts';

/** Mine with markers around each place that differs from the base. What only a formatter changed is not an edit. */
export function markOwnEdits({ base, mine }: Pick<ThreeTexts, 'base' | 'mine'>): Stretch[] {
  const [before, after] = [lines(base), lines(mine)];
  const stretches: Stretch[] = [];
  let place = 0;
  for (const change of changedLines(before.map(squeeze), after.map(squeeze))) {
    const [start, count] = change.after;
    const [was, length] = change.before;
    const made = before.slice(was, was + length).join('');
    const own = after.slice(start, start + count).join('');
    const conflict = { where: [], base: made, mine: own, theirs: '' };
    stretches.push(after.slice(place, start).join(''), conflict);
    place = start + count;
  }
  return [...stretches, after.slice(place).join('')];
}

import type { Moment } from './moments.ts';
import { readEvent, isBefore, isEventKind, stem } from './stories.ts';

/** How many times of a row are past, how many are set, and the positions of those that are not set. */
export type Progress = readonly [past: number, known: number, ...missing: readonly number[]];

/** All progress that a row may have made. It either continues or has reached a stop. */
export function listProgress(moments: readonly Moment[]): readonly Progress[] {
  const goesOn = moments.map((moment) => (isStop(moment) ? false : undefined));
  const stopped = moments
    .filter(isStop)
    .map((stop) =>
      moments.map((it) => (isStop(it) ? it === stop : judgeHappened(it.event, stop.event, []))),
    );
  return [goesOn, ...stopped].flatMap((happened) => progressIn(moments, happened));
}

const isStop = ({ event, field }: Moment) => field.nullable && isEventKind(event, 'stops');

/** The possible progress in each state, if states differ in that, and whether an event has happened in it. */
export function findProgressByState(moments: readonly Moment[], states: readonly string[]) {
  const events = states.map(readEvent);
  const stages = states.map((state, at) => {
    const happened = moments.map((moment) => {
      const has = judgeHappened(moment.event, events[at] ?? '', events);
      // A required time with a name in the past tense has happened in every state.
      return has === false && moment.isPast && !moment.field.nullable ? true : has;
    });
    return { state, happened, reached: progressIn(moments, happened) };
  });
  const isSame = stages.every(({ reached }) => String(reached) === String(stages[0]?.reached));
  if (isSame) return undefined;
  return {
    byState: Object.fromEntries(stages.map(({ state, reached }) => [state, reached])),
    implied: moments.filter((_, at) => stages.some(({ happened }) => happened[at] === true)),
  };
}

/** Whether an event has happened in a state; undefined if the words do not tell. */
function judgeHappened(
  event: string,
  state: string,
  states: readonly string[],
): boolean | undefined {
  if (event === state) return isEventKind(event, 'coming') ? undefined : true;
  if (isEventKind(event, 'stops') && !isBefore(event, state)) return false;
  const [index, reached] = [states.indexOf(event), states.indexOf(state)];
  if (isEventKind(state, 'stops')) {
    const isSettled = isEventKind(event, 'requests') || event === stem('closed');
    return isSettled || isBefore(event, state) || index === 0;
  }
  if (isBefore(event, state)) return true;
  if (isBefore(state, event)) return false;
  if (index > 0) return reached >= index;
  if (isEventKind(event, 'requests')) return true;
  if (isEventKind(state, 'requests')) return false;
  if (isEventKind(state, 'ends')) return true;
  const isUnderWay =
    isEventKind(state, 'begins', 'overdue') && isEventKind(event, 'begins', 'ends');
  return isUnderWay ? isEventKind(event, 'begins') : undefined;
}

type Happened = readonly (boolean | undefined)[];

function progressIn(moments: readonly Moment[], happened: Happened): readonly Progress[] {
  const never = happened.indexOf(false);
  const known = never === -1 ? moments.length : Math.max(never, happened.lastIndexOf(true) + 1);
  const missing = [...happened.keys()].filter(
    (at) => at < known && happened[at] === false && moments[at]?.field.nullable === true,
  );
  const whole = possiblePasts(moments, happened).map((past) => [past, known, ...missing] as const);
  if (never !== -1 || happened.includes(true)) return whole;
  // The state does not tell, so some rows lack the last optional times.
  const needed = moments.findLastIndex(({ field }) => !field.nullable) + 1;
  const least = whole[0]?.[0] ?? 0;
  const shorter = [...moments.keys()].slice(needed);
  return [...whole, ...shorter.map((at) => [Math.min(at, least), at] as const)];
}

/** How many of the times may be in the past. */
function possiblePasts(moments: readonly Moment[], happened: Happened): readonly number[] {
  const last = moments.findLastIndex(({ isPast }, at) => isPast && happened[at] !== false);
  const past = Math.max(happened.lastIndexOf(true), last) + 1;
  const never = happened.indexOf(false);
  const next = moments.findIndex(
    ({ event }, at) => at >= past && isEventKind(event, 'ahead', 'coming'),
  );
  if (never !== -1 && (next === -1 || next >= never)) return [Math.max(past, never)];
  if (next !== -1) return [next];
  if (happened.includes(true)) return [past];
  return [...moments.keys(), moments.length].filter(
    (at) => at >= past && (at === past || moments[at]?.gap !== 'hours'),
  );
}

import { spaced } from '../../../naming/name.ts';
import { type Distance, ends, isSameDay, laterThan, type Moment } from './spans.ts';
import { eventOf, isBefore, stem, stems } from './stories.ts';

const requests = stems(
  'requested applied ordered submitted created placed booked reserved planned scheduled drafted proposed invited registered',
);
const begins = stems(
  'started begins opened issued signed out sent approved valid from joined hired arrived borrowed lent loaned rented',
);
/** Cancelled things do not begin. */
const begun = stems('starts begins from');
/** After these, nothing else happens. */
export const stops = stems('rejected cancelled withdrawn lost dropped');
/** Events that are usually in the future. */
const ahead = stems('due expires next until to renews remind');
/** Events that are in the future if nothing follows them. */
const coming = stems('scheduled planned');

export const isPastTense = ({
  name,
  isPast = false,
}: {
  readonly name: string;
  readonly isPast?: boolean;
}) =>
  isPast ||
  (!coming.has(eventOf(name)) &&
    pastTense.test(spaced(name).replace(/ (at|on|date|time|day)$/, '')));
const pastTense =
  /(ed|begun|began|born|bought|built|caught|done|found|given|held|left|lent|lost|made|met|^out|paid|put|read|seen|sent|since|sold|sown|taken|told|won|written|last|previous|back)$/;

/** How many of the moments of a row lie behind it, how many are known, and which of those are not all the same. */
export type Reached = readonly [past: number, known: number, ...missing: readonly number[]];

export interface Story {
  /** In their order. */
  readonly moments: readonly (Moment & Distance)[];
  /** How far a row may have come: any of these, or any of those of its state. */
  readonly reached: readonly Reached[];
  readonly byState: Readonly<Record<string, readonly Reached[]>> | undefined;
}

/** What happens to a row: in order, and how far it has come. */
export function storyOf(
  all: readonly Moment[],
  states: readonly string[] | undefined,
  about = '',
): Story {
  const moments = orderMoments(all);
  const stages = states?.map((state) => {
    const implied = moments.map((moment) => impliedFor(moment, state, states));
    return [state, reachedIn(moments, implied), implied] as const;
  });
  const isByState =
    stages?.some(([, reached]) => String(reached) !== String(stages[0]?.[1])) === true;
  return {
    moments: moments.map((moment, at) => {
      const isImplied = isByState && stages.some(([, , implied]) => implied[at] === true);
      return { ...moment, ...laterThan(moments[at - 1], moment, about, isImplied) };
    }),
    reached: endings(moments).flatMap((implied) => reachedIn(moments, implied)),
    byState: isByState
      ? Object.fromEntries(stages.map(([state, reached]) => [state, reached]))
      : undefined,
  };
}

/** If no state decides, a row continues or reaches one of its stops. */
function endings(moments: readonly Moment[]): readonly Implied[] {
  const goesOn = moments.map((moment) => (isStop(moment) ? false : undefined));
  const stopped = moments.filter(isStop).map(({ name: stop }) =>
    moments.map((moment) => {
      if (isStop(moment)) return moment.name === stop;
      return hasHappened(eventOf(moment.name), eventOf(stop), []);
    }),
  );
  return [goesOn, ...stopped];
}

const isStop = ({ name, isOptional }: Moment) => isOptional && stops.has(eventOf(name));

/** In order: as declared, unless a story says otherwise; future ones come last. */
export function orderMoments<Named extends { readonly name: string; readonly isPast?: boolean }>(
  moments: readonly Named[],
): readonly Named[] {
  const ordered: Named[] = [];
  for (const moment of moments) {
    const event = eventOf(moment.name);
    const at = ordered.findIndex((other) => {
      const there = eventOf(other.name);
      if (isBefore(event, there) || (stops.has(event) && begun.has(there))) return true;
      const isLater = ahead.has(there) && !ahead.has(event) && !isBefore(there, event);
      return isLater && isPastTense(moment);
    });
    ordered.splice(at === -1 ? ordered.length : at, 0, moment);
  }
  return ordered;
}

/** Whether something has happened in a state; undefined where the words do not say. */
function hasHappened(event: string, value: string, values: readonly string[]): boolean | undefined {
  const state = eventOf(value);
  if (event === state) return coming.has(event) ? undefined : true;
  if (stops.has(event) && !isBefore(event, state)) return false;
  const events = values.map(eventOf);
  const [place, reached] = [events.indexOf(event), events.indexOf(state)];
  if (stops.has(state)) {
    const isSettled = requests.has(event) || event === stem('closed');
    return isSettled || isBefore(event, state) || place === 0;
  }
  if (isBefore(event, state)) return true;
  if (isBefore(state, event)) return false;
  if (place > 0) return reached >= place;
  if (requests.has(event)) return true;
  if (requests.has(state)) return false;
  if (ends.has(state)) return true;
  const isUnderWay = begins.has(state) || state === stem('overdue');
  if (isUnderWay && (begins.has(event) || ends.has(event))) return begins.has(event);
  return undefined;
}

/** A required time in the past tense has happened, whatever the state. */
function impliedFor(moment: Moment, state: string, states: readonly string[]): boolean | undefined {
  const implied = hasHappened(eventOf(moment.name), state, states);
  return implied === false && !moment.isOptional && isPastTense(moment) ? true : implied;
}

type Implied = readonly (boolean | undefined)[];

function reachedIn(moments: readonly Moment[], implied: Implied): readonly Reached[] {
  const never = implied.indexOf(false);
  const known = never === -1 ? moments.length : Math.max(never, implied.lastIndexOf(true) + 1);
  const missing = [...implied.keys()].filter(
    (at) => at < known && implied[at] === false && moments[at]?.isOptional === true,
  );
  const whole = pastsOf(moments, implied).map((past) => [past, known, ...missing] as const);
  if (never !== -1 || implied.includes(true)) return whole;
  // The state says nothing, so some rows lack the optional moments at the end.
  const needed = moments.findLastIndex(({ isOptional }) => !isOptional) + 1;
  const least = whole[0]?.[0] ?? 0;
  const shorter = moments.map((_, at) => at).filter((at) => at >= needed);
  return [...whole, ...shorter.map((at) => [Math.min(at, least), at] as const)];
}

/** How many of the moments may lie in the past. */
function pastsOf(moments: readonly Moment[], implied: Implied): readonly number[] {
  const past = moments.findLastIndex((moment, at) => implied[at] !== false && isPastTense(moment));
  const happened = Math.max(implied.lastIndexOf(true), past) + 1;
  const never = implied.indexOf(false);
  const next = moments.findIndex(({ name }, at) => at >= happened && isAhead(eventOf(name)));
  if (never !== -1 && (next === -1 || next >= never)) return [Math.max(happened, never)];
  if (next !== -1) return [next];
  if (implied.includes(true)) return [happened];
  const splits = Array.from({ length: moments.length - happened + 1 }, (_, at) => happened + at);
  const apart = splits.filter((at) => at === happened || !isSameDay(moments[at - 1], moments[at]));
  return apart.length === 0 ? [happened] : apart;
}

const isAhead = (event: string) => ahead.has(event) || coming.has(event);

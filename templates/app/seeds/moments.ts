import { faker } from '@faker-js/faker/locale/en';
import { eventOf, isBefore, stem, stems } from './stories.ts';
import { spaced } from './words.ts';

/** A column that holds a day, a time of day, or both. */
export interface Moment {
  readonly name: string;
  readonly type: 'date' | 'time' | 'datetime';
  readonly isOptional: boolean;
  /** Of a time of day: what most rows have. */
  readonly usual?: string | undefined;
  /** It has happened, whatever its name says. */
  readonly isPast?: boolean | undefined;
}

/** The state of a row, and all that it can have. */
export interface State {
  readonly value: string;
  readonly values: readonly string[];
}

type Drawn = readonly (readonly [name: string, value: string | null])[];

const requests = stems(
  'requested applied ordered submitted created placed booked reserved planned drafted proposed invited registered',
);
const begins = stems(
  'started begins opened issued signed out sent approved valid from joined hired arrived borrowed lent loaned rented',
);
const ends = stems(
  'ended finishes completed closed returned back paid left to until resolved departed archived expires stopped',
);
/** After these, nothing else happens. */
const stops = stems('rejected cancelled withdrawn lost');
/** What most often lies ahead. */
const ahead = stems('due expires next until to renews remind');
/** What befalls few. */
const rare = stems(
  'archived cancelled revoked withdrawn terminated dissolved blocked suspended left died sold deleted',
);
/** What comes after years rather than days. */
const years = stems(
  'left resigned graduated retired expires sold dissolved withdrawn decommissioned',
);
/** What happens on one day. */
const together = stems(
  'starts begins ends finishes opened closed from to until entered exited arrived left departed called hung',
);

const isPastTense = ({ name, isPast }: Moment) =>
  isPast === true || pastTense.test(spaced(name).replace(/ (at|on|date|time|day)$/, ''));
const pastTense =
  /(ed|begun|began|born|bought|built|caught|done|found|given|held|left|lent|lost|made|met|^out|paid|put|read|seen|sent|since|sold|sown|taken|told|won|written|last|previous|back)$/;

const isBirth = ({ name }: Moment) =>
  /\b(birth|birthday|birthdate|born|dob|founded|established)\b/.test(spaced(name));

/** The moments of one row: in order, on both sides of now, and as far as its state has come. */
export function drawMoments(
  moments: readonly Moment[],
  state: State | undefined,
  about: string,
): Drawn {
  const times = moments.filter(({ type }) => type === 'time');
  const births = moments.filter((moment) => isBirth(moment) && moment.type !== 'time');
  const days = moments.filter((moment) => !times.includes(moment) && !births.includes(moment));
  return [
    ...births.map(({ name, type }) => [name, printed(birthOf(about), type)] as const),
    ...drawTimes(inOrder(times)),
    ...drawDays(inOrder(days), state),
  ];
}

function birthOf(about: string): Date {
  const isAnimal = /\b(animal|pet|dog|cat|horse|cow|sheep|goat|bird)\b/.test(about);
  return isAnimal ? faker.date.past({ years: 12 }) : faker.date.birthdate();
}

/** As they follow each other: as they stand, unless a story tells otherwise; what lies ahead comes last. */
function inOrder(moments: readonly Moment[]): readonly Moment[] {
  const ordered: Moment[] = [];
  for (const moment of moments) {
    const event = eventOf(moment.name);
    const at = ordered.findIndex((other) => {
      const there = eventOf(other.name);
      if (isBefore(event, there)) return true;
      const isLater = ahead.has(there) && !ahead.has(event) && !isBefore(there, event);
      return isLater && isPastTense(moment);
    });
    ordered.splice(at === -1 ? ordered.length : at, 0, moment);
  }
  return ordered;
}

function drawTimes(moments: readonly Moment[]): Drawn {
  const isUsual = faker.datatype.boolean(0.75);
  let quarters = faker.number.int({ min: 8 * 4, max: 15 * 4 });
  return moments.map(({ name, isOptional, usual }) => {
    const isClosing = eventOf(name) === stem('closed');
    const before = isClosing ? Math.min(quarters + 4 * faker.number.int(8), 23 * 4) : quarters;
    const time = isUsual && usual !== undefined ? usual : clockTime(before);
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    quarters = Math.min(
      4 * hours + Math.ceil(minutes / 15) + faker.number.int({ min: 2, max: 6 }),
      95,
    );
    return [name, isOptional && faker.datatype.boolean(0.25) ? null : time];
  });
}

function drawDays(moments: readonly Moment[], state: State | undefined): Drawn {
  const implied = moments.map((moment) => impliedFor(moment, state));
  const split = splitOf(moments, implied);
  const isToday = isSameDay(moments[split - 1], moments[split]);
  const today = workdayOfToday();
  const days = moments.map(() => 0);
  let day = today.last - (isToday ? 0 : faker.number.int({ min: 0, max: 90 }));
  for (let at = split - 1; at >= 0; at -= 1) {
    if (at < split - 1) day -= gapBetween(moments[at], moments[at + 1]);
    days[at] = day;
  }
  day = today.next + (isToday ? 0 : faker.number.int({ min: 0, max: 40 }));
  for (let at = split; at < moments.length; at += 1) {
    if (at > split) day += gapBetween(moments[at - 1], moments[at]);
    days[at] = day;
  }
  const missing = firstMissing(moments, implied, split);
  let quarters = 0;
  return moments.map((moment, at) => {
    quarters =
      days[at] === days[at - 1]
        ? quarters + faker.number.int({ min: 2, max: 8 })
        : faker.number.int({ min: 8 * 4, max: 18 * 4 - 1 });
    const { name, type, isOptional } = moment;
    const isRare = implied[at] === undefined && rare.has(eventOf(name));
    const isLeftOut = implied[at] !== true && at >= missing;
    if (isOptional && (isLeftOut || (isRare && faker.datatype.boolean(0.8)))) return [name, null];
    return [name, printed(new Date(dateOf(days[at] ?? 0) + quarters * 900_000), type)];
  });
}

/** Whether something has happened in a state; undefined where the words do not say. */
function hasHappened(event: string, { value, values }: State): boolean | undefined {
  const state = eventOf(value);
  if (event === state) return true;
  const events = values.map(eventOf);
  const [place, reached] = [events.indexOf(event), events.indexOf(state)];
  if (stops.has(state)) return requests.has(event) || isBefore(event, state) || place === 0;
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

/** What must be there and is said to have happened, has. */
function impliedFor(moment: Moment, state: State | undefined): boolean | undefined {
  const implied = state && hasHappened(eventOf(moment.name), state);
  return implied === false && !moment.isOptional && isPastTense(moment) ? true : implied;
}

type Implied = readonly (boolean | undefined)[];

/** How many of the moments lie in the past. */
function splitOf(moments: readonly Moment[], implied: Implied): number {
  const past = moments.findLastIndex((moment, at) => implied[at] !== false && isPastTense(moment));
  const happened = Math.max(implied.lastIndexOf(true), past) + 1;
  const never = implied.indexOf(false);
  const next = moments.findIndex(({ name }, at) => at >= happened && ahead.has(eventOf(name)));
  if (never !== -1 && (next === -1 || next >= never)) {
    return Math.max(happened, never);
  }
  if (next !== -1) return next;
  if (implied.includes(true)) return happened;
  const split = faker.number.int({ min: happened, max: moments.length });
  return split > happened && isSameDay(moments[split - 1], moments[split]) ? split - 1 : split;
}

/** From which one on those are left out that may be. */
function firstMissing(moments: readonly Moment[], implied: Implied, split: number): number {
  const never = implied.indexOf(false);
  if (never !== -1) return never;
  if (implied.includes(true) || faker.datatype.boolean(0.75)) return moments.length;
  return faker.number.int({ min: 0, max: Math.max(split, moments.length - 1) });
}

function isSameDay(one: Moment | undefined, other: Moment | undefined): boolean {
  return [one, other].every((it) => it?.type === 'datetime' && together.has(eventOf(it.name)));
}

/** In working days. */
function gapBetween(one: Moment | undefined, other: Moment | undefined): number {
  if (isSameDay(one, other) || other === undefined) return 0;
  const event = eventOf(other.name);
  if (years.has(event)) return faker.number.int({ min: 40, max: 180 });
  const isLong = other.type === 'date' && ends.has(event) && together.has(event);
  return faker.number.int(isLong ? { min: 5, max: 60 } : { min: 1, max: 14 });
}

/** Working days are counted from the Monday of this week on. */
function workdayOfToday() {
  return { last: Math.min(weekday() - 1, 4), next: Math.min(weekday() + 1, 5) };
}

function dateOf(workday: number): number {
  const days = 7 * Math.floor(workday / 5) + (((workday % 5) + 5) % 5) - weekday();
  return faker.defaultRefDate().getTime() + days * 86_400_000;
}

const weekday = () => (faker.defaultRefDate().getUTCDay() + 6) % 7;

const clockTime = (quarters: number) => new Date(quarters * 900_000).toISOString().slice(11, 23);

function printed(moment: Date, type: Moment['type']): string {
  return type === 'date' ? moment.toISOString().slice(0, 10) : moment.toISOString();
}

/** Half an hour to three hours later. */
export function hoursAfter(moment: string): string {
  const halves = faker.number.int({ min: 1, max: 6 });
  return new Date(Date.parse(moment) + halves * 1_800_000).toISOString();
}

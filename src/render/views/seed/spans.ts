import { eventOf, isBefore, stem, stems } from './stories.ts';

/** A column that holds a day, or a moment of one. */
export interface Moment {
  readonly name: string;
  readonly type: 'date' | 'datetime';
  readonly isOptional: boolean;
  /** It has happened, whatever its name says. */
  readonly isPast: boolean;
  /** Days lie before it, though it has an hour. */
  readonly isStay?: boolean;
}

export const ends = stems(
  'ended finishes completed closed returned back paid left to until resolved departed archived expires stopped seen attended missed treated served',
);

/** Events that only few rows have. */
const rare = stems(
  'archived cancelled revoked withdrawn terminated dissolved blocked suspended left died sold deleted',
);

/** What comes after years rather than days. */
const years = stems(
  'left resigned graduated retired expires sold dissolved withdrawn decommissioned next',
);

/** Events that are often long ago. */
const standing = stems('hired joined bought purchased acquired installed');

/** What happens on one day. */
const together = stems(
  'starts begins ends finishes opened closed from to until entered exited arrived left departed called hung stopped',
);

/** How long things last that begin on one day and end on another. */
const lasting = [
  [
    /\b(leave|absence|holiday|vacation|trip|stay|reservation|booking|rental|visit|festival)\b/,
    'days',
  ],
  [/\b(tenancy|contract|lease|membership|subscription|employment|policy|insurance)\b/, 'months'],
  [/\b(offer|quote|bid|hold|invitation|voucher)\b/, 'weeks'],
] as const;

/** A stay begins on the day that is planned for it. */
export function isSameDay(one: Moment | undefined, other: Moment | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  const [event, then] = [one, other].map(({ name }) => dayOf(eventOf(name)));
  return (
    (event === then && one.type !== other.type) ||
    [one, other].every(
      (it) => it.type === 'datetime' && it.isStay !== true && together.has(eventOf(it.name)),
    )
  );
}

const dayOf = (event: string) =>
  event === stem('arrived') ? stem('entered') : isStay(event) ? stem('exited') : event;

const isStay = (event: string) => event === stem('departed') || event === stem('exited');

/** Whether something lasts from one to the other. */
export function isSpan(
  { name: from }: { readonly name: string },
  { name: to }: { readonly name: string },
) {
  const [start, end] = [eventOf(from), eventOf(to)];
  const isTogether = together.has(start) && together.has(end) && start !== end;
  return isBefore(start, end) || (isTogether && !isBefore(end, start));
}

/** How much later than the one before, if known; and whether only few rows have it. */
export interface Distance {
  readonly gap: 'hours' | 'days' | 'weeks' | 'months' | undefined;
  readonly isSeldom: boolean;
}

export function laterThan(
  before: Moment | undefined,
  moment: Moment,
  about: string,
  isImplied: boolean,
): Distance {
  const isSeldom = moment.isOptional && !isImplied && rare.has(eventOf(moment.name));
  return { gap: gapBetween(before, moment, about), isSeldom };
}

function gapBetween(before: Moment | undefined, moment: Moment, about: string) {
  const event = eventOf(moment.name);
  const own = lasting.find(([is]) => is.test(about))?.[1];
  if (before === undefined) return standing.has(event) ? 'months' : undefined;
  if (isSameDay(before, moment)) return 'hours';
  if (years.has(event)) return (event === stem('expires') ? own : undefined) ?? 'months';
  if (moment.isStay === true) return 'days';
  const isDays =
    moment.type === 'date' && together.has(event) && (ends.has(event) || isStay(event));
  return isDays ? (own ?? (isStay(event) ? 'days' : 'weeks')) : undefined;
}

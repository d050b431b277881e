import { spacedWords } from '../../../naming/name.ts';
import type { Field } from '../../../model/app.ts';
import { readEvent, isBefore, isEventKind, stem } from './stories.ts';

/** A column with a date, a time or a time of day. */
export interface Moment {
  readonly field: Field;
  readonly name: string;
  readonly event: string;
  readonly isPast: boolean;
  /** How much later it is than the one before, if known. */
  readonly gap: 'hours' | 'days' | 'weeks' | 'months' | undefined;
}

/** The times of a row in order: as declared, unless a story has another order. Future times come last. */
export function orderMoments(fields: readonly Field[], about: string): readonly Moment[] {
  const ordered: Omit<Moment, 'gap'>[] = [];
  for (const field of fields) {
    const event = readEvent(field.column);
    const isPast = field.default?.kind === 'now' || isPastTense(field.column, event);
    const at = ordered.findIndex(
      ({ event: there }) =>
        isBefore(event, there) ||
        (isEventKind(event, 'stops') && isEventKind(there, 'begun')) ||
        (isPast &&
          isEventKind(there, 'ahead') &&
          !isEventKind(event, 'ahead') &&
          !isBefore(there, event)),
    );
    const moment = { field, name: field.column, event, isPast };
    ordered.splice(at === -1 ? ordered.length : at, 0, moment);
  }
  return ordered.map((it, at) => ({ ...it, gap: findGap(ordered[at - 1], it, about) }));
}

const isPastTense = (name: string, event: string) =>
  !isEventKind(event, 'coming') &&
  pastTense.test(spacedWords(name).replace(/ (at|on|date|time|day)$/, ''));
const pastTense =
  /(ed|begun|began|born|bought|built|caught|done|found|given|held|left|lent|lost|made|met|^out|paid|put|read|seen|sent|since|sold|sown|taken|told|won|written|last|previous|back)$/;

/** How long things last that start on one day and end on another. */
const lasting = [
  [
    /\b(leave|absence|holiday|vacation|trip|stay|reservation|booking|rental|visit|festival)\b/,
    'days',
  ],
  [/\b(tenancy|contract|lease|membership|subscription|employment|policy|insurance)\b/, 'months'],
  [/\b(offer|quote|bid|hold|invitation|voucher)\b/, 'weeks'],
] as const;

function findGap(
  before: Omit<Moment, 'gap'> | undefined,
  { event, field }: Omit<Moment, 'gap'>,
  about: string,
): Moment['gap'] {
  const { kind } = field.type;
  if (kind === 'time') return 'hours';
  if (before === undefined) return isEventKind(event, 'early') ? 'months' : undefined;
  const own = lasting.find(([is]) => is.test(about))?.[1];
  const isDeparture = isEventKind(event, 'departures');
  const isStay = isDeparture && /\b(stay|booking|reservation)\b/.test(about);
  const isTogether = isEventKind(event, 'together');
  const isSameType = kind === before.field.type.kind;
  // A stay begins on the planned day.
  if (!isSameType && dayOf(event) === dayOf(before.event)) return 'hours';
  if (
    isSameType &&
    kind === 'datetime' &&
    isTogether &&
    isEventKind(before.event, 'together') &&
    !isStay
  )
    return 'hours';
  if (isEventKind(event, 'late')) return (event === stem('expires') ? own : undefined) ?? 'months';
  if (!isStay && (kind === 'datetime' || !isTogether)) return undefined;
  if (isDeparture) return own ?? 'days';
  return isEventKind(event, 'ends') ? (own ?? 'weeks') : undefined;
}

const dayOf = (event: string) =>
  event === stem('arrived')
    ? stem('entered')
    : isEventKind(event, 'departures')
      ? stem('exited')
      : event;

/** Whether something lasts from one time to the other. */
export function isSpan({ event: start }: Moment, { event: end }: Moment) {
  const isTogether =
    isEventKind(start, 'together') && isEventKind(end, 'together') && start !== end;
  return isBefore(start, end) || (isTogether && !isBefore(end, start));
}

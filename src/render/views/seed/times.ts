import type { Field, Model } from '../../../model/app.ts';
import { lowerWords } from '../../../naming/name.ts';
import { fieldTypes } from '../../../types/all.ts';
import { tsCall } from '../../typescript.ts';

interface Times {
  /** Name of the field → what draws its value. */
  readonly times: ReadonlyMap<string, string>;
  /** What has to be known of a row before it is written down. */
  readonly locals: readonly { readonly name: string; readonly text: string }[];
}

/** The fields that begin and end something: what ends, ends after it has begun. */
export function timesOf(model: Model): Times {
  const starts = model.fields.filter((field) => isTemporal(field) && wordAt(field, 0) !== -1);
  const ends = model.fields.filter((field) => isTemporal(field) && wordAt(field, 1) !== -1);
  const pairs = ends.flatMap((end) => {
    const start = startOf(end, starts, model);
    return start === undefined ? [] : [{ start, end }];
  });
  const begun = [...new Set(pairs.map(({ start }) => start))];
  const names = new Map(begun.map((start, at) => [start, at === 0 ? 'start' : `start${at + 1}`]));
  const local = (start: Field) => names.get(start) ?? 'start';
  return {
    times: new Map([
      ...begun.map((start) => [start.name, local(start)] as const),
      ...pairs.map(({ start, end }) => {
        const drawn = after(local(start), start.type.kind, end.type.kind);
        return [end.name, end.nullable ? tsCall('draw.maybe', drawn) : drawn] as const;
      }),
    ]),
    locals: begun.map((start) => ({ name: local(start), text: momentOf(start, false) })),
  };
}

/** Words that begin something, and those that end it. */
const partners = [
  [
    /\b(starts?|started|starting|begins?|began|beginning)\b/,
    /\b(ends?|ended|ending|finish|finishes|finished)\b/,
  ],
  [/\b(opens?|opened|opening)\b/, /\b(closes?|closed|closing)\b/],
  [/\b(arrives?|arrived|arrival)\b/, /\b(leaves?|left|departs?|departed|departure)\b/],
  [/\bcheck in\b/, /\bcheck out\b/],
  [/\bfrom\b/, /\b(to|until|till)\b/],
] as const;

const wordAt = (field: Field, side: 0 | 1) =>
  partners.findIndex((pair) => pair[side].test(words(field)));

const isTime = ({ type }: Field) => type.kind === 'time';

const words = ({ name }: Field) => lowerWords(name);

function isTemporal({ type, role }: Field): boolean {
  return role === 'declared' && fieldTypes[type.kind].made?.word === 'now';
}

/** The one that goes with it best, or else the nearest before it; a time of day goes with another one only. */
function startOf(end: Field, starts: readonly Field[], { fields }: Model): Field | undefined {
  const likeness = (start: Field) =>
    4 * Number(wordAt(start, 0) === wordAt(end, 1)) +
    2 * Number(theme(start, 0) === theme(end, 1)) +
    Number(start.type.kind === end.type.kind);
  const distance = (start: Field) => {
    const fieldsBetween = fields.indexOf(end) - fields.indexOf(start);
    return fieldsBetween > 0 ? fieldsBetween : fields.length;
  };
  return starts
    .filter((start) => start !== end && isTime(start) === isTime(end))
    .toSorted(
      (left, right) => likeness(right) - likeness(left) || distance(left) - distance(right),
    )[0];
}

/** What a name says besides. */
function theme(field: Field, side: 0 | 1): string {
  const pattern = partners[wordAt(field, side)]?.[side] ?? /$/;
  const rest = words(field).replace(pattern, '');
  return rest.replace(/\b(at|on|date|time|day)\b/, '').trim();
}

type Kind = Field['type']['kind'];

function after(start: string, from: Kind, to: Kind): string {
  if (to === 'time') return `draw.hoursAfter(\`2000-01-01T\${${start}}Z\`).slice(11, 23)`;
  if (to === 'date') return tsCall('draw.daysAfter', start);
  return from === 'date'
    ? `draw.atWork(new Date(${tsCall('draw.daysAfter', start)}))`
    : tsCall('draw.hoursAfter', start);
}

/** What is unique is drawn from more moments than those of work. */
export function momentOf({ name, type }: Field, unique: boolean): string {
  const date = dateNamed(lowerWords(name), unique && type.kind === 'date');
  if (type.kind === 'date') return tsCall('draw.day', date);
  const moment = unique ? `${date}.toISOString()` : tsCall('draw.atWork', date);
  return type.kind === 'time' ? `${moment}.slice(11, 23)` : moment;
}

function dateNamed(name: string, unique: boolean): string {
  if (/\b(birth|birthday|birthdate|born|dob)\b/.test(name)) return 'faker.date.birthdate()';
  if (unique) return 'faker.date.past({ years: 50 })';
  if (partners.flat().some((pattern) => pattern.test(name))) return 'faker.date.anytime()';
  return future.test(name) ? 'faker.date.soon({ days: 90 })' : 'faker.date.past()';
}

const future =
  /\b(due|deadline|expires?|expiry|expiration|remind|reminder|next|renew|renewal|scheduled|planned|delivery)\b/;

import type { Field, Model } from '../../../model/app.ts';
import { tsCall } from '../../typescript.ts';
import { lowerWords } from './words.ts';

interface Times {
  /** Name of the field → what draws its value. */
  readonly times: ReadonlyMap<string, string>;
  /** What has to be known of a row before it is written down. */
  readonly locals: readonly { readonly name: string; readonly text: string }[];
}

/** The fields that begin and end something: what ends, ends after it has begun. */
export function timesOf(model: Model): Times {
  const starts = model.fields.filter((field) => isTemporal(field) && startWords.test(words(field)));
  const ends = model.fields.filter((field) => isTemporal(field) && endWords.test(words(field)));
  const pairs = ends.flatMap((end) => {
    const start = startOf(end, starts);
    return start === undefined || start === end ? [] : [{ start, end }];
  });
  const begun = [...new Set(pairs.map(({ start }) => start))];
  const names = new Map(begun.map((start, at) => [start, at === 0 ? 'start' : `start${at + 1}`]));
  const local = (start: Field) => names.get(start) ?? 'start';
  return {
    times: new Map([
      ...begun.map((start) => [start.name, local(start)] as const),
      ...pairs.map(({ start, end }) => {
        const drawn = after(local(start), start.type.kind, end.type.kind);
        return [end.name, end.nullable ? tsCall('draw.maybe', `() => ${drawn}`) : drawn] as const;
      }),
    ]),
    locals: begun.map((start) => ({ name: local(start), text: momentOf(start, false) })),
  };
}

const startWords =
  /\b(starts?|started|starting|begins?|began|beginning|from|opens?|opened|opening|arrives?|arrived|arrival|check in)\b/;
const endWords =
  /\b(ends?|ended|ending|finish|finishes|finished|until|till|closes?|closed|closing|leaves?|left|departure|check out)\b/;

const words = ({ name }: Field) => lowerWords(name);

function isTemporal({ type, role }: Field): boolean {
  return role === 'declared' && ['date', 'time', 'datetime'].includes(type.kind);
}

/** Of the same words besides, or the only one; a time of day goes with another one only. */
function startOf(end: Field, starts: readonly Field[]): Field | undefined {
  const isTime = ({ type }: Field) => type.kind === 'time';
  const possible = starts.filter((start) => isTime(start) === isTime(end));
  const rest = (name: string, pattern: RegExp) => name.replace(pattern, '').trim();
  const same = possible.filter(
    (start) => rest(words(start), startWords) === rest(words(end), endWords),
  );
  return same.find(({ type }) => type.kind === end.type.kind) ?? same[0] ?? onlyOne(possible);
}

const onlyOne = <T>(values: readonly T[]) => (values.length === 1 ? values[0] : undefined);

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
  if (startWords.test(name) || endWords.test(name)) return 'faker.date.anytime()';
  return future.test(name) ? 'faker.date.soon({ days: 90 })' : 'faker.date.past()';
}

const future =
  /\b(due|deadline|expires?|expiry|expiration|remind|reminder|next|renew|renewal|scheduled|planned|delivery)\b/;

import { faker } from '@faker-js/faker/locale/en';

const { helpers, number } = faker;

/** One of the words of each part, `new|old`; `{{location.city}}` is what `faker.location.city()` draws. */
export function phrase(...parts: readonly string[]): string {
  return parts.map((part) => helpers.fake(oneOf(part.split('|')))).join(' ');
}

/** A text of these lengths: cut at a space, or repeated. */
export function fit(
  { min = 0, max = Infinity }: { min?: number; max?: number },
  text: string,
): string {
  if (text.length < min) return text.padEnd(min, ` ${text}`);
  if (text.length <= max) return text;
  const space = text.lastIndexOf(' ', max);
  return text.slice(0, space > max / 2 ? space : max).replace(/[ ,;:]+$/, '');
}

/** Plain, and about nothing in particular. */
export function sentence(about: string): string {
  return phrase(
    [
      `This ${about} was checked in {{date.month}}.`,
      `Please look at this ${about} again on {{date.weekday}}.`,
      `Nothing has changed about the ${about} since {{date.month}}.`,
      `Everything about this ${about} is in order.`,
      `{{person.firstName}} knows more about this ${about}.`,
      `{{person.firstName}} asked about this ${about} in {{date.month}}.`,
    ].join('|'),
  );
}

export function paragraphs(about: string): string {
  const paragraph = () => helpers.multiple(() => sentence(about), { count: { min: 2, max: 4 } });
  return helpers.multiple(() => paragraph().join(' '), { count: { min: 1, max: 3 } }).join('\n\n');
}

/** `News from the garden` → `news-from-the-garden` */
export function slug(
  title = phrase('{{word.adjective}} {{word.noun}} {{string.numeric(3)}}'),
): string {
  const plain = title.toLowerCase().replaceAll("'", '');
  return plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '');
}

/** Letters and digits of a shape, or of one of several: `[A-Z]{2}-[0-9]{4}`. */
export function like(...shapes: readonly string[]): string {
  return helpers.fromRegExp(oneOf(shapes));
}

export function email(): string {
  return faker.internet.email({ provider: 'example.com' }).toLowerCase();
}

export function url(): string {
  return `https://www.${slug(faker.person.lastName())}.example`;
}

/** So many letters and digits between two texts. */
export function letters(before: string, length: number, after: string): string {
  return before + faker.string.alphanumeric({ casing: 'lower', length }) + after;
}

export function int(min: number, max: number): number {
  return number.int({ min, max });
}

export function float(min: number, max: number): number {
  return number.float({ min, max, ...(max - min >= 1 && { fractionDigits: 2 }) });
}

/** Of as many digits after the point as the bounds have, and as large as they like. */
export function decimal(min: string, max: string): string {
  const drawn = number.bigInt({ min: units(min), max: units(max) });
  const scale = max.split('.')[1]?.length ?? 0;
  const digits = String(drawn < 0n ? -drawn : drawn).padStart(scale + 1, '0');
  const whole = (drawn < 0n ? '-' : '') + digits.slice(0, digits.length - scale);
  return scale === 0 ? whole : `${whole}.${digits.slice(-scale)}`;
}

const units = (text: string) => BigInt(text.replace('.', ''));

export function bool(): boolean {
  return faker.datatype.boolean();
}

export function oneOf<Value>(values: readonly Value[]): Value {
  return helpers.arrayElement(values);
}

/** None to three of them. */
export function some<Value>(values: readonly Value[]): Value[] {
  return helpers.arrayElements(values, { min: 0, max: 3 });
}

/** Nothing, in one of four rows. */
export function maybe<Value>(draw: () => Value): Value | null {
  return faker.datatype.boolean(0.75) ? draw() : null;
}

/** Nothing, until something has happened. */
export function once<Value>(moment: string | null, draw: (moment: string) => Value): Value | null {
  return moment === null ? null : draw(moment);
}

/** The value, in most rows, or in another share of them. */
export function usually<Value>(value: Value, draw: () => Value, share = 0.7): Value {
  return faker.datatype.boolean(share) ? value : draw();
}

export function uuid(): string {
  return faker.string.uuid();
}

/** A uuid that begins with a time, as those of the server do. */
export function id(): string {
  return faker.string.uuid({ version: 7, refDate: faker.date.past() });
}

/** Base64 of so many bytes. */
export function bytes(length: number): string {
  return Buffer.from(faker.string.alphanumeric(length)).toString('base64');
}

/** A user; the first ones are there to log in as, one for each role. */
export function account<Role extends string>(index: number, roles: readonly Role[]) {
  const [firstName, lastName] = [faker.person.firstName(), faker.person.lastName()];
  const own = faker.internet.email({ firstName, lastName, provider: 'example.com' });
  const role = roles[index];
  return {
    name: `${firstName} ${lastName}`,
    email: (role === undefined ? own : `${role}@example.com`).toLowerCase(),
    role: role ?? oneOf(roles.filter((it) => it !== 'admin')),
  };
}

/** A time long ago, so that there is room for many: those of birthdays, or those that no two rows may share. */
export function longAgo(years = 50): string {
  return faker.date.past({ years }).toISOString();
}

/** When something happens to a row, `datetime`; and how much later than what stands before it, if not days. */
export type Event =
  `${'date' | 'datetime'}${'' | '?'}${'' | `, ${'hours' | 'days' | 'weeks' | 'months'} later`}${'' | ', seldom'}`;

type Moments<Events> = {
  [Name in keyof Events]: string | (Events[Name] extends `${string}?${string}` ? null : never);
};

const workdays: Readonly<Record<string, readonly [min: number, max: number]>> = {
  hours: [0, 0],
  days: [1, 6],
  weeks: [5, 60],
  months: [40, 180],
};

/**
 * What happens to a row, in its order. `[1, 2]`: one of it lies in the past, two are known, and nothing of what may be
 * missing after that; further numbers say what is missing all the same.
 */
export function story<Events extends Readonly<Record<string, Event>>>(
  reached: readonly number[],
  events: Events,
): Moments<Events>;
export function story(
  [behind = 0, known = behind, ...missing]: readonly number[],
  events: Readonly<Record<string, Event>>,
): Record<string, string | null> {
  const kinds = Object.values(events);
  // Hours are not divided by today: that day lies behind, too.
  const next = kinds.findIndex((kind, at) => at >= behind && !kind.includes('hours'));
  const past = behind === 0 ? 0 : next === -1 ? kinds.length : next;
  const days = kinds.map(() => 0);
  // What is under way began as long before its next event as that comes later.
  const gap = past > 0 && past < kinds.length ? gapBefore(kinds[past]) : undefined;
  const longest = past > behind ? 0 : kinds[past - 1]?.includes('months') === true ? 250 : 90;
  const ago = int(0, gap === undefined ? longest : Math.max(gap - 2, 0));
  let day = Math.min(weekday() - 1, 4) - ago;
  for (let at = past - 1; at >= 0; at -= 1) {
    days[at] = day;
    day -= gapBefore(kinds[at]);
  }
  day = Math.min(weekday() + 1, 5) + (gap === undefined ? int(0, 40) : Math.max(gap - 2 - ago, 0));
  for (let at = past; at < kinds.length; at += 1) {
    if (at > past) day += gapBefore(kinds[at]);
    days[at] = day;
  }
  let quarters = 0;
  const moments = Object.entries(events).map(([name, kind], at) => {
    quarters = days[at] === days[at - 1] ? quarters + int(2, 8) : int(8 * 4, 18 * 4 - 1);
    const isMissing =
      at >= known ||
      missing.includes(at) ||
      (kind.includes('seldom') && faker.datatype.boolean(0.8));
    if (kind.includes('?') && isMissing) return [name, null];
    const moment = new Date(dateOf(days[at] ?? 0) + quarters * 900_000).toISOString();
    return [name, kind.startsWith('datetime') ? moment : moment.slice(0, 10)];
  });
  return Object.fromEntries(moments);
}

function gapBefore(kind = ''): number {
  const [, unit = ''] = / (\w+) later/.exec(kind) ?? [];
  return int(...(workdays[unit] ?? [1, 14]));
}

/** Working days are counted from the Monday of this week on. */
function dateOf(workday: number): number {
  const days = 7 * Math.floor(workday / 5) + (((workday % 5) + 5) % 5) - weekday();
  const today = Math.floor(faker.defaultRefDate().getTime() / 86_400_000);
  return (today + days) * 86_400_000;
}

const weekday = () => (faker.defaultRefDate().getUTCDay() + 6) % 7;

/** When the row was made, before the first of what happened to it, and changed, after the last. */
export function stamps(moments: Readonly<Record<string, string | null>> = {}) {
  const now = faker.defaultRefDate().toISOString();
  const [made] = Object.values(story([1], { made: 'datetime' }));
  // What happens on a day is written down on its morning.
  const times = [made ?? now, ...Object.values(moments)]
    .map((at) => at?.padEnd(now.length, 'T08:00:00.000Z') ?? now)
    .filter((at) => at < now)
    .toSorted();
  const [created_at = now, last = created_at] = [times[0], times.at(-1)];
  const updated = Date.parse(last) + int(1, 6) * 1_800_000;
  return { created_at, updated_at: new Date(updated).toISOString() };
}

/** What amounts come to less others, with so many digits after the point. */
export function sum(scale: number, amounts: readonly Amount[], less: readonly Amount[] = []) {
  const total = (all: readonly Amount[]) => all.reduce<number>((it, one) => it + Number(one), 0);
  return (total(amounts) - total(less)).toFixed(scale);
}

export function product(scale: number, ...factors: readonly Amount[]): string {
  return factors.reduce<number>((it, one) => it * Number(one), 1).toFixed(scale);
}

type Amount = number | string | null;

/** How many whole days, hours or minutes one moment comes after another. */
export function between(from: string, to: string, unit: 'days' | 'hours' | 'minutes'): number {
  const minutes = { days: 1440, hours: 60, minutes: 1 }[unit];
  const [start = 0, end = 0] = [from, to].map((it) =>
    Date.parse(/^\d\d:/.test(it) ? `2000-01-01T${it}Z` : it),
  );
  return Math.round((end - start) / 60_000 / minutes);
}

/** The birthday of somebody of this age. */
export function born(min: number, max: number): string {
  return faker.date.birthdate({ mode: 'age', min, max }).toISOString();
}

export function age(birthday: string): number {
  const [then, today] = [birthday, faker.defaultRefDate().toISOString()];
  const years = Number(today.slice(0, 4)) - Number(then.slice(0, 4));
  return today.slice(5, 10) < then.slice(5, 10) ? years - 1 : years;
}

/** Times of one day, one after the other, by so many quarters of an hour at most: the given ones in most rows. */
export function times<Times extends Readonly<Record<string, string>>>(
  usual: Times,
  most?: number,
): { [Name in keyof Times]: string };
export function times(usual: Readonly<Record<string, string>>, most = 48): Record<string, string> {
  const isUsual = faker.datatype.boolean(0.75);
  let quarters = int(7 * 4, 10 * 4);
  const drawn = Object.entries(usual).map(([name, time]) => {
    const shown = isUsual && time !== '' ? time : clockTime(quarters);
    const [hours = 0, minutes = 0] = shown.split(':').map(Number);
    const shownQuarters = 4 * hours + Math.ceil(minutes / 15);
    quarters = Math.min(
      shownQuarters + int(2, Math.min(most, Math.max(2, Math.floor((95 - shownQuarters) / 2)))),
      95,
    );
    return [name, shown];
  });
  return Object.fromEntries(drawn);
}

const clockTime = (quarters: number) => new Date(quarters * 900_000).toISOString().slice(11, 23);

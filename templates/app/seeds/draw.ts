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
      `{{person.firstName}} asked for it in {{date.month}}.`,
      'We talked about it on {{date.weekday}}, and it can stay as it is.',
      'It was finished on a {{date.weekday}}, earlier than planned.',
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
  return faker.internet.url();
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
  `${'date' | 'datetime'}${'' | '?'}${'' | ', hours later' | ', weeks later' | ', months later'}${'' | ', seldom'}`;

type Moments<Events> = {
  [Name in keyof Events]: string | (Events[Name] extends `${string}?${string}` ? null : never);
};

const workdays: Readonly<Record<string, readonly [min: number, max: number]>> = {
  hours: [0, 0],
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
  [past = 0, known = past, ...missing]: readonly number[],
  events: Readonly<Record<string, Event>>,
): Record<string, string | null> {
  const kinds = Object.values(events);
  const isToday = kinds[past]?.includes('hours') === true && past > 0;
  const days = kinds.map(() => 0);
  let day = Math.min(weekday() - 1, 4) - (isToday ? 0 : int(0, 90));
  for (let at = past - 1; at >= 0; at -= 1) {
    days[at] = day;
    day -= gapBefore(kinds[at]);
  }
  day = Math.min(weekday() + 1, 5) + (isToday ? 0 : int(0, 40));
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
  return faker.defaultRefDate().getTime() + days * 86_400_000;
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

/** Times of one day, one after the other: the given ones in most rows. */
export function times<Times extends Readonly<Record<string, string>>>(
  usual: Times,
): { [Name in keyof Times]: string };
export function times(usual: Readonly<Record<string, string>>): Record<string, string> {
  const isUsual = faker.datatype.boolean(0.75);
  let quarters = int(7 * 4, 10 * 4);
  const drawn = Object.entries(usual).map(([name, time]) => {
    const shown = isUsual && time !== '' ? time : clockTime(quarters);
    const [hours = 0, minutes = 0] = shown.split(':').map(Number);
    const shownQuarters = 4 * hours + Math.ceil(minutes / 15);
    quarters = Math.min(
      shownQuarters + int(2, Math.max(2, Math.floor((95 - shownQuarters) / 2))),
      95,
    );
    return [name, shown];
  });
  return Object.fromEntries(drawn);
}

const clockTime = (quarters: number) => new Date(quarters * 900_000).toISOString().slice(11, 23);

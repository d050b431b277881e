import { faker } from '@faker-js/faker/locale/en';
import { numberAbout, textAbout } from './words.ts';

/** What a value is drawn for. */
export interface Scene {
  /** Of the column. */
  readonly name: string;
  /** What a row is called: `order line`. */
  readonly about: string;
  /** How many rows were drawn before. */
  readonly index: number;
  /** How often in a row what was drawn was taken already, for a column that a constraint wants to differ. */
  readonly attempt: number;
  readonly isUnique: boolean;
  /** The hash of the password of every user. */
  readonly password: string;
}

/** A column of `seed.ts`: how its values are drawn. */
export interface Column<Value = unknown> {
  readonly draw: (scene: Scene) => Value;
  /** What most rows have. */
  readonly usual?: Value;
  readonly isOptional?: boolean;
  readonly isUnique?: boolean;
  /** What depends on the rest of the row: `rows.ts` sees to it. */
  readonly part?: Part;
}

export type Part =
  | { readonly is: 'moment'; readonly type: 'date' | 'time' | 'datetime'; readonly isPast?: true }
  | { readonly is: 'state'; readonly values: readonly string[] }
  | { readonly is: 'number'; readonly min: number; readonly format: (value: number) => unknown }
  | { readonly is: 'key'; readonly to: string; readonly role?: string };

interface Lengths {
  readonly min?: number;
  readonly max?: number;
}

interface Bounds {
  readonly min?: number | string;
  readonly max?: number | string;
}

/** Nothing, in one of four rows. */
export function maybe<Value>(column: Column<Value>): Column<Value | null> {
  return { ...column, isOptional: true };
}

/** The value, in most rows. */
export function usually<Value>(usual: Value, column: Column<Value>): Column<Value> {
  return { ...column, usual };
}

/** No two rows may hold the same. */
export function unique<Value>(column: Column<Value>): Column<Value> {
  return { ...column, isUnique: true };
}

/** It has happened. */
export function past(moment: Column<string>): Column<string> {
  const { part } = moment;
  return part?.is === 'moment' ? { ...moment, part: { ...part, isPast: true } } : moment;
}

/** `code`: a text that the others look like. `like`: texts that match the pattern. */
export function text({
  min = 0,
  max = Infinity,
  pattern,
  code,
  like = [],
}: Lengths & { pattern?: string; code?: string; like?: readonly string[] } = {}): Column<string> {
  const expression = new RegExp(pattern ?? '', 'u');
  const fits = (value: string) => {
    const length = [...value].length;
    return length >= min && length <= max && expression.test(value);
  };
  const draw = ({ name, about, attempt }: Scene) => {
    if (code !== undefined) return similar(code, fits);
    const number = attempt < 3 ? '' : ` ${numberThatGrows(attempt)}`;
    for (let turn = 0; turn < 20; turn += 1) {
      const value = cut(textAbout(name, about, max), max - number.length) + number;
      if (fits(value)) return value;
    }
    if (like.length > 0) return similar(faker.helpers.arrayElement(like), fits);
    const length = { min: Math.max(min, Math.min(6, max)), max: Math.min(Math.max(min, 8), max) };
    return faker.string.alpha({ casing: 'lower', length });
  };
  return { draw };
}

export function email({ min = 0, max = 254 }: Lengths = {}): Column<string> {
  const draw = () => {
    const value = faker.internet.email({ provider: 'example.com' }).toLowerCase();
    return value.length >= min && value.length <= max
      ? value
      : lettersAround('', max < 20 ? '@a.io' : '@example.com', { min, max });
  };
  return { draw };
}

export function url({ min = 0, max = 2048 }: Lengths = {}): Column<string> {
  const draw = ({ name }: Scene) => {
    const isPicture = /image|photo|picture|avatar|logo|cover|thumbnail/.test(name);
    const value = isPicture ? faker.image.url() : faker.internet.url();
    return value.length >= min && value.length <= max
      ? value
      : lettersAround(max < 40 ? 'http://' : 'https://example.com/', '', { min, max });
  };
  return { draw };
}

export function int(bounds: Bounds = {}): Column<number> {
  return numeric({ min: -(2 ** 31), max: 2 ** 31 - 1, ...bounds }, 0, Number);
}

/** Too large for a number: digits. */
export function bigint(bounds: Bounds = {}): Column<string> {
  return numeric({ min: `${-(2n ** 63n)}`, max: `${2n ** 63n - 1n}`, ...bounds }, 0, String);
}

export function decimal(precision: number, scale: number, bounds: Bounds = {}): Column<string> {
  const most = `${'9'.repeat(precision - scale) || '0'}.${'9'.repeat(scale)}`;
  return numeric({ min: `-${most}`, max: most, ...bounds }, scale, (digits) => digits);
}

export function float({ min = -Infinity, max = Infinity }: Bounds = {}): Column<number> {
  const [lowest, highest] = [Number(min), Number(max)];
  const draw = ({ name, isUnique }: Scene) => {
    const [low, high] = numberAbout(name);
    const least = Math.max(lowest, Math.min(low, highest - (high - low)));
    const most = Math.min(highest, Math.max(high, lowest + (high - low)));
    const isFine = isUnique || most - least < 1;
    return faker.number.float({ min: least, max: most, ...(!isFine && { fractionDigits: 2 }) });
  };
  return { draw, part: { is: 'number', min: lowest, format: (value) => value } };
}

export function bool(): Column<boolean> {
  return { draw: () => faker.datatype.boolean() };
}

export function oneOf<const Value extends string>(values: readonly Value[]): Column<Value> {
  return { draw: () => faker.helpers.arrayElement(values), part: { is: 'state', values } };
}

export function date(): Column<string> {
  return momentOf('date');
}

export function time(): Column<string> {
  return momentOf('time');
}

export function datetime(): Column<string> {
  return momentOf('datetime');
}

/** When the row was made, and last changed. */
export const timestamps = { created_at: past(datetime()), updated_at: past(datetime()) };

export function uuid(): Column<string> {
  return { draw: () => faker.string.uuid() };
}

/** One that sorts after those that were made before. */
export function id(): Column<string> {
  return { draw: () => faker.string.uuid({ version: 7, refDate: faker.date.past() }) };
}

/** A JSON value of the same kind. */
export function json<Value>(like: Value): Column<Value>;
export function json(): Column<{ note: string }>;
export function json(like?: unknown): Column {
  return { draw: ({ about }) => jsonLike(like, about) };
}

/** Base64 of so many bytes. */
export function bytes({ min = 0, max = Infinity }: Lengths = {}): Column<string> {
  const least = Math.max(min, Math.min(max, 8));
  const length = { min: least, max: Math.min(max, least + 8) };
  return { draw: () => Buffer.from(faker.string.alphanumeric({ length })).toString('base64') };
}

/** The id of a row of another table, or of one of its rows with a role. */
export function row(to: string, role?: string): Column<never> {
  const draw = (): never => {
    throw new Error(`There is no row of ${to} to point to.`);
  };
  return { draw, part: { is: 'key', to, ...(role !== undefined && { role }) } };
}

/** A user with a name, and for each role somebody to log in as. */
export function account<const Role extends string>(roles: readonly Role[]) {
  let firstName = '';
  let lastName = '';
  const others = roles.filter((role) => role !== 'admin');
  return {
    name: {
      draw: () => {
        firstName = faker.person.firstName();
        lastName = faker.person.lastName();
        return `${firstName} ${lastName}`;
      },
    },
    email: {
      isUnique: true,
      draw: ({ index }: Scene) => {
        const role = roles[index];
        const own = faker.internet.email({ firstName, lastName, provider: 'example.com' });
        return role === undefined ? own.toLowerCase() : `${role.toLowerCase()}@example.com`;
      },
    },
    password: { draw: ({ password }: Scene) => password },
    role: { draw: ({ index }: Scene) => roles[index] ?? faker.helpers.arrayElement(others) },
  };
}

function momentOf(type: 'date' | 'time' | 'datetime'): Column<string> {
  const draw = () => {
    const moment = faker.date.past({ years: 50 }).toISOString();
    return type === 'date' ? moment.slice(0, 10) : type === 'time' ? moment.slice(11, 23) : moment;
  };
  return { draw, part: { is: 'moment', type } };
}

/** In units of the last decimal, so that nothing is rounded. What is unique gets a wide range. */
function numeric<Value>(
  { min, max }: Bounds,
  scale: number,
  read: (digits: string) => Value,
): Column<Value> {
  const lowest = min === undefined ? undefined : scaled(String(min), scale);
  const highest = max === undefined ? undefined : scaled(String(max), scale);
  const draw = ({ name, isUnique }: Scene) => {
    const [low, high] = (isUnique ? [1, 1e9] : numberAbout(name)).map((bound) =>
      scaled(String(bound), scale),
    );
    return read(unscaled(within({ low, high, lowest, highest }), scale));
  };
  const format = (value: number) => read(value.toFixed(scale));
  return { draw, part: { is: 'number', min: Number(min ?? -Infinity), format } };
}

interface Range {
  readonly low?: bigint | undefined;
  readonly high?: bigint | undefined;
  readonly lowest: bigint | undefined;
  readonly highest: bigint | undefined;
}

/** From the believable part of what is allowed, or from what is allowed next to it. */
function within({ low = 0n, high = 0n, lowest, highest }: Range): bigint {
  const span = high - low;
  let least = low;
  let most = high;
  if (highest !== undefined && most > highest)
    [least, most] = [smaller(low, highest - span), highest];
  if (lowest !== undefined && least < lowest) [least, most] = [lowest, larger(most, lowest + span)];
  if (highest !== undefined) most = smaller(most, highest);
  return faker.number.bigInt({ min: least, max: most });
}

const smaller = (left: bigint, right: bigint) => (left < right ? left : right);
const larger = (left: bigint, right: bigint) => (left > right ? left : right);

/** `1.5` at scale 2 → `150n` */
function scaled(digits: string, scale: number): bigint {
  const [whole = '', fraction = ''] = digits.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0').slice(0, scale));
}

function unscaled(units: bigint, scale: number): string {
  const sign = units < 0n ? '-' : '';
  const digits = String(units)
    .replace('-', '')
    .padStart(scale + 1, '0');
  if (scale === 0) return sign + digits;
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function jsonLike(like: unknown, about: string): unknown {
  if (like === undefined || like === null) return { note: textAbout('note', about) };
  if (typeof like === 'string') return like;
  if (typeof like === 'boolean') return faker.datatype.boolean();
  if (typeof like === 'number') return faker.number.int({ max: 100 });
  if (Array.isArray(like)) return faker.helpers.arrayElements(like);
  const members = Object.entries(like).map(([key, part]) => [
    key,
    part === null ? null : jsonLike(part, about),
  ]);
  return Object.fromEntries(members);
}

/** Letters and digits are exchanged wherever any of their kind will do. */
function similar(sample: string, fits: (value: string) => boolean): string {
  const characters = [...sample];
  const open = characters.map((character, at) => {
    const kind = kinds.find((letters) => letters.includes(character)) ?? '';
    const others = [kind[0], kind[5], kind.at(-1)].map((other) => other ?? character);
    return others.every((other) => fits(characters.with(at, other).join(''))) ? kind : '';
  });
  for (let turn = 0; turn < 100; turn += 1) {
    const drawn = characters.map((character, at) => {
      const letters = open[at] ?? '';
      return letters === '' ? character : faker.string.fromCharacters(letters);
    });
    if (fits(drawn.join(''))) return drawn.join('');
  }
  return sample;
}

const lower = 'abcdefghijklmnopqrstuvwxyz';
const kinds = [lower, lower.toUpperCase(), '0123456789'];

/** At a space, where there is one. */
function cut(value: string, max: number): string {
  if (value.length <= max) return value;
  const start = value.slice(0, max + 1);
  const space = start.lastIndexOf(' ');
  return (space > max / 2 ? start.slice(0, space) : start.slice(0, max)).replace(/[ ,;:]+$/, '');
}

/** It may be something else that is taken. */
function numberThatGrows(attempt: number): number {
  return faker.number.int({ min: 2, max: 10 ** (2 + Math.floor(attempt / 30)) - 1 });
}

function lettersAround(before: string, after: string, { min, max }: Required<Lengths>): string {
  const [most, fixed] = [Math.max(1, max - before.length - after.length), before + after];
  const least = Math.max(1, min - fixed.length, Math.min(most, 6));
  const length = { min: least, max: Math.min(most, least + 8) };
  return before + faker.string.alphanumeric({ casing: 'lower', length }) + after;
}

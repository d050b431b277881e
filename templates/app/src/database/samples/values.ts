import { scaled } from '../values.ts';
import type { Draw } from './draw.ts';
import { hex, sentence, word, type Lengths } from './texts.ts';

interface Range<Bound> {
  readonly min?: Bound;
  readonly max?: Bound;
}

/** Sometimes nothing. */
export function maybe<Value>(draw: Draw, value: () => Value): Value | null {
  return draw.fraction() < 0.2 ? null : value();
}

export function integer(draw: Draw, range: Range<number> = {}): number {
  const { min, max } = interval(range, 1000 * room(draw));
  return draw.integer(Math.max(min, -(2 ** 31)), Math.min(max, 2 ** 31 - 1));
}

export function float(draw: Draw, range: Range<number> = {}): number {
  const { min, max } = interval(range, 1000 * room(draw));
  const value = Math.round((min + draw.fraction() * (max - min)) * 100) / 100;
  // No -0, which JSON does not tell from 0.
  return Math.min(max, Math.max(min, value)) + 0;
}

export function bigInteger(draw: Draw, range: Range<string> = {}): string {
  return String(integerBetween(draw, exactly(range), [-(2n ** 63n), 2n ** 63n - 1n]));
}

/** As the API writes it, with all its decimals: `9.50`. */
export function decimal(
  draw: Draw,
  { precision, scale, ...range }: Range<string> & { precision: number; scale: number },
): string {
  const most = 10n ** BigInt(precision) - 1n;
  const value = integerBetween(draw, exactly(range, scale), [-most, most]);
  const number = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  const whole = `${value < 0n ? '-' : ''}${number.slice(0, number.length - scale)}`;
  return scale === 0 ? whole : `${whole}.${number.slice(-scale)}`;
}

export function bool(draw: Draw): boolean {
  return draw.fraction() < 0.5;
}

export function oneOf<Value>(draw: Draw, values: readonly Value[]): Value {
  return draw.pick(values);
}

/** Within the two years before 2026; further back when there is no room. */
export function datetime(draw: Draw): string {
  const span = 730 * 86_400_000 * Math.min(room(draw), 10);
  return new Date(Date.UTC(2026, 0, 1) - draw.integer(1, span)).toISOString();
}

export function date(draw: Draw): string {
  return datetime(draw).slice(0, 10);
}

export function time(draw: Draw): string {
  const seconds = draw.integer(0, 86_399);
  return new Date(seconds * 1000).toISOString().slice(11, 23);
}

export function uuid(draw: Draw): string {
  return `${hex(draw, 8)}-${hex(draw, 4)}-4${hex(draw, 3)}-a${hex(draw, 3)}-${hex(draw, 12)}`;
}

export function json(draw: Draw): Readonly<Record<string, string | number>> {
  return { [word(draw)]: draw.integer(1, 1000 * room(draw)), note: sentence(draw) };
}

/** Base64; the range counts bytes. */
export function bytes(draw: Draw, { min = 0, max = min + 12 }: Lengths = {}): string {
  const length = draw.integer(Math.max(min, Math.min(max, 8)), Math.min(max, min + 12));
  return Buffer.from(hex(draw, 2 * length), 'hex').toString('base64');
}

/** Ten times wider with every attempt. */
function room(draw: Draw): number {
  return draw.mark === '' ? 1 : 10 ** draw.mark.length;
}

function interval({ min, max }: Range<number>, span: number) {
  if (min === undefined && max !== undefined) return { min: max - span, max };
  const least = min ?? 0;
  return { min: least, max: Math.min(max ?? Infinity, least + span) };
}

function exactly({ min, max }: Range<string>, scale = 0): Range<bigint> {
  return {
    ...(min !== undefined && { min: scaled(min, scale) }),
    ...(max !== undefined && { max: scaled(max, scale) }),
  };
}

function integerBetween(
  draw: Draw,
  { min, max }: Range<bigint>,
  [least, most]: readonly [bigint, bigint],
): bigint {
  const span = 100_000n * BigInt(room(draw));
  const low = min ?? (max === undefined || max >= 0n ? 0n : max - span);
  const high = [max ?? most, most, low + span].reduce((a, b) => (b < a ? b : a));
  const from = low < least ? least : low;
  return from + BigInt(draw.integer(0, Number(high - from)));
}

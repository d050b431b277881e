import type {
  DatabaseSync,
  SqlFunction,
} from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';

/** SQL functions that SQLite lacks. Each returns NULL for NULL. */
const functions: Readonly<Record<string, SqlFunction>> = {
  /** Lower case for all of Unicode. SQLite's own `lower` only knows ASCII. */
  fold: (text) => (typeof text === 'string' ? text.toLowerCase() : text),
  float_text: (value) => (typeof value === 'number' ? floatText(value) : null),
  /** Functions by which migrations convert numbers and find those that would lose something. */
  decimal_units: (value, scale) =>
    typeof value === 'number' ? decimalUnits(value, Number(scale)) : null,
  more_digits: (value, scale) =>
    typeof value === 'number' ? Number(hasMoreDigits(value, Number(scale))) : null,
  text_float: (text) => (typeof text === 'string' ? readFloat(text) : null),
  is_exact: (text) => (typeof text === 'string' ? Number(isExact(text)) : null),
  base64: (bytes) => (bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : null),
};

export function addFunctions(connection: DatabaseSync): void {
  for (const [name, work] of Object.entries(functions)) {
    connection.function(name, { deterministic: true }, work);
  }
}

/** The shortest text that reads as the same number, in the form of PostgreSQL: `1e-05`, `1e+15`. */
function floatText(value: number): string {
  const [digits = '', power = ''] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 15) return String(value);
  const sign = exponent < 0 ? '-' : '+';
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** A number as `digits` × 10^`exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

const jsonNumber = /^(-?(?:0|[1-9]\d*))(?:\.(\d+))?(?:[eE]([-+]?\d{1,3}))?$/;

/** Reads a number in the form of JSON, with an exponent of at most three digits. */
function readDecimal(text: string): Decimal | undefined {
  const [, whole, fraction = '', exponent = '0'] = jsonNumber.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

const [lowest, highest] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Uses the shortest text that reads as the same number. Integers of 64 bits are exact. */
function readNumber(number: number): Decimal | undefined {
  const isWhole = Number.isInteger(number) && number >= -(2 ** 63) && number < 2 ** 63;
  return isWhole ? { digits: BigInt(number), exponent: 0 } : readDecimal(String(number));
}

/** The number in units of 10^-`scale`, rounded half away from zero; undefined for infinity. */
function countUnits(number: number, scale: number): bigint | undefined {
  const decimal = readNumber(number);
  if (decimal === undefined) return undefined;
  const shift = decimal.exponent + scale;
  if (shift >= 0) return decimal.digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  const half = divisor / 2n;
  return (decimal.digits + (decimal.digits < 0n ? -half : half)) / divisor;
}

/** The number in units of its last digit, as a float if it is too large for an integer. */
function decimalUnits(number: number, scale: number): bigint | number {
  const units = countUnits(number, scale);
  if (units === undefined) return number;
  return units < lowest || units > highest ? Number(units) : units;
}

/** Whether the number has more than `scale` decimals. */
function hasMoreDigits(number: number, scale: number): boolean {
  const decimal = readNumber(number);
  const units = countUnits(number, scale);
  return decimal !== undefined && units !== undefined && !isSame(decimal, units, -scale);
}

/** The number in a text; null if there is none, or if it is too large or too small. */
function readFloat(text: string): number | null {
  const decimal = readDecimal(text);
  const number = Number(text);
  if (decimal === undefined || !Number.isFinite(number)) return null;
  return number === 0 && decimal.digits !== 0n ? null : number;
}

/** Whether a float equals the text that it was read from. */
function isExact(text: string): boolean {
  const [decimal, number] = [readDecimal(text), readFloat(text)];
  if (decimal === undefined || number === null) return false;
  const kept = readNumber(number);
  return kept !== undefined && isSame(decimal, kept.digits, kept.exponent);
}

function isSame(decimal: Decimal, digits: bigint, exponent: number): boolean {
  const lower = Math.min(decimal.exponent, exponent);
  const scaled = (value: bigint, power: number) => value * 10n ** BigInt(power - lower);
  return scaled(decimal.digits, decimal.exponent) === scaled(digits, exponent);
}

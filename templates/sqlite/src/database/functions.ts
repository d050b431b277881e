import { decimalUnits, floatOf, hasMoreDigits, isExact } from './decimals.ts';

/** SQL functions that SQLite lacks. Each answers NULL for NULL. */
export const functions = {
  /** Lower case for all of Unicode; SQLite's own `lower` knows ASCII alone. */
  fold: (text: unknown) => (typeof text === 'string' ? text.toLowerCase() : text),
  float_text: (value: unknown) => (typeof value === 'number' ? floatText(value) : null),
  /** What migrations turn numbers into, and by which they find those of which something would be lost. */
  decimal_units: (value: unknown, scale: unknown) =>
    typeof value === 'number' ? decimalUnits(value, Number(scale)) : null,
  more_digits: (value: unknown, scale: unknown) =>
    typeof value === 'number' ? Number(hasMoreDigits(value, Number(scale))) : null,
  text_float: (text: unknown) => (typeof text === 'string' ? floatOf(text) : null),
  is_exact: (text: unknown) => (typeof text === 'string' ? Number(isExact(text)) : null),
  base64: (bytes: unknown) => (Buffer.isBuffer(bytes) ? bytes.toString('base64') : null),
};

/** The shortest text that reads back as the same number, written as PostgreSQL writes it: `1e-05`, `1e+15`. */
function floatText(value: number): string {
  const [digits = '', power = ''] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 15) return String(value);
  const sign = exponent < 0 ? '-' : '+';
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

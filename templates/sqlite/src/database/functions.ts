import { decimalUnits, floatOf, hasMoreDigits, isExact } from './decimals.ts';
import type { DatabaseSync, SqlFunction } from './driver.ts';

/** SQL functions that SQLite lacks. Each answers NULL for NULL. */
const functions: Readonly<Record<string, SqlFunction>> = {
  /** Lower case for all of Unicode; SQLite's own `lower` knows ASCII alone. */
  fold: (text) => (typeof text === 'string' ? text.toLowerCase() : text),
  float_text: (value) => (typeof value === 'number' ? floatText(value) : null),
  /** What migrations turn numbers into, and by which they find those of which something would be lost. */
  decimal_units: (value, scale) =>
    typeof value === 'number' ? decimalUnits(value, Number(scale)) : null,
  more_digits: (value, scale) =>
    typeof value === 'number' ? Number(hasMoreDigits(value, Number(scale))) : null,
  text_float: (text) => (typeof text === 'string' ? floatOf(text) : null),
  is_exact: (text) => (typeof text === 'string' ? Number(isExact(text)) : null),
  base64: (bytes) => (bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : null),
};

export function addFunctions(connection: DatabaseSync): void {
  for (const [name, work] of Object.entries(functions)) {
    connection.function(name, { deterministic: true }, work);
  }
}

/** The shortest text that reads back as the same number, written as PostgreSQL writes it: `1e-05`, `1e+15`. */
function floatText(value: number): string {
  const [digits = '', power = ''] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 15) return String(value);
  const sign = exponent < 0 ? '-' : '+';
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

import type { TypeDefinition } from './field-type.ts';
import { numberDefinition, findNumberFlaw, readNumber, sampleNumber } from './numbers.ts';
import { exactNumeric, asFloat, castToText, unlessLike, wholeNumber } from './sql.ts';

const decimalPattern = `${wholeNumber}(\\.[0-9]+)?([eE][-+]?[0-9]{1,3})?`;

export const float: TypeDefinition = {
  ...numberDefinition,
  reference: { written: 'float', json: 'number', holds: 'double precision' },
  foreign: ['double', 'real'],
  ordered: 'number',
  read: readNumber,
  flawOf: (value, field) => findNumberFlaw(value, field),
  typescript: 'number',
  call: 't.Float',
  family: 'float',
  sqlite: {
    column: () => 'real',
    literal: floatLiteral,
    from: {
      text: () => ({
        value: (it) => `text_float(${it})`,
        failureSql: (it) => `${it} IS NOT NULL AND text_float(${it}) IS NULL`,
        lossSql: (it) => `NOT is_exact(${it})`,
      }),
      integer: () => ({
        value: (it) => `CAST(${it} AS real)`,
        // SQLite compares an integer with a float exactly.
        lossSql: (it) => `CAST(${it} AS real) <> ${it}`,
      }),
    },
    to: {
      text: () => ({ value: (it) => `float_text(${it})` }),
      integer: () => ({
        value: (it) => `decimal_units(${it}, 0)`,
        failureSql: (it) =>
          `NOT (${it} >= -9223372036854775808.0 AND ${it} < 9223372036854775808.0)`,
        lossSql: (it) => `more_digits(${it}, 0)`,
      }),
    },
  },
  postgres: {
    column: () => 'double precision',
    literal: String,
    from: {
      text: () => ({
        value: (it) => `${it}::double precision`,
        failureSql: unlessLike(decimalPattern, (it) => beyondFloatSql(`${it}::numeric`)),
        lossSql: (it) =>
          `CASE WHEN ${it} ~ '^${decimalPattern}$' AND NOT (${beyondFloatSql(`${it}::numeric`)}) THEN ${it}::numeric <> ${exactNumeric(`${it}::double precision`)} END`,
      }),
      integer: asFloat,
    },
    to: {
      text: castToText,
      integer: () => ({
        value: (it) => `round(${exactNumeric(it)})`,
        // NaN is greater than every number.
        failureSql: (it) => `NOT (${it} >= -9223372036854775808 AND ${it} < 9223372036854775808)`,
        lossSql: (it) => `${it} <> trunc(${it})`,
      }),
    },
  },
  sample: (field) => sampleNumber(field, 1.5),
  examples: ({ min, max }) => {
    const least = Number(min ?? -1e6);
    const most = Number(max ?? 1e6);
    return [1.5, 0.25, 12, least, most, (least + most) / 2]
      .filter((value) => value >= least && value <= most)
      .map((value) => value || 0);
  },
  wrong: '1.5',
};

function beyondFloatSql(number: string): string {
  return `abs(${number}) > 1.7976931348623158e308 OR abs(${number}) < 2.4703282292062328e-324 AND ${number} <> 0`;
}

/** SQLite compares an integer with a float exactly, so a whole number that no float equals is written as a float. */
function floatLiteral(value: unknown): string {
  const text = String(value);
  return Number.isSafeInteger(value) || /[.e]/.test(text) ? text : `${text}.0`;
}

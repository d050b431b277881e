import {
  type Conversion,
  type ConvertSql,
  type FieldType,
  type Engine,
  type Limits,
  scaleOf,
  type Sql,
  type TypeDefinition,
} from './field-type.ts';
import {
  formatScaled,
  scaleDecimal,
  findExactNumberFlaw,
  exampleDigits,
  numberDefinition,
  sampleExact,
} from './numbers.ts';
import { unchangedSql, exactNumeric, asFloat, castToText, unlessLike, wholeNumber } from './sql.ts';

/** The number of digits that each engine keeps exactly: SQLite in an integer, PostgreSQL as many as other databases. */
export const mostDigits: Readonly<Record<Engine, number>> = { sqlite: 18, postgres: 65 };

/** On SQLite, an integer in units of the last digit: 150 with scale 2 is `1.50`. */
export const decimal: TypeDefinition = {
  ...numberDefinition,
  reference: {
    written: 'decimal(p,s)',
    json: 'string',
    holds:
      '`p` digits (up to 18; on PostgreSQL, 65), `s` of them after the point; never passes through a float',
  },
  typical: 'decimal(10,2)',
  foreign: ['numeric', 'money'],
  exact: true,
  limits: computeLimits,
  ordered: 'exact',
  flawOf: (value, field) => findExactNumberFlaw(value, field, computeLimits(field.type)),
  canonical: (value, type) => {
    const scaled = scaleDecimal(String(value), scaleOf(type));
    return scaled === undefined ? value : formatScaled(scaled, scaleOf(type));
  },
  typescript: 'string',
  call: 't.Decimal',
  details: (type) => ({ precision: String(precisionOf(type)), scale: String(scaleOf(type)) }),
  encoded: true,
  family: 'decimal',
  sqlite: {
    column: () => 'integer',
    literal: (value) => String(BigInt(String(value).replace('.', ''))),
    note: (type) => (scaleOf(type) === 0 ? undefined : unitNote(scaleOf(type))),
    from: {
      text: textToDecimal,
      integer: ({ after }) => ({ value: times(scaleOf(after)) }),
      float: ({ after }) => ({
        value: (it) => `decimal_units(${it}, ${scaleOf(after)})`,
        lossSql: (it) => `more_digits(${it}, ${scaleOf(after)})`,
      }),
      decimal: ({ before, after }) => rescaled(scaleOf(before), scaleOf(after)),
    },
    to: {
      text: ({ before }) => ({ value: decimalText(scaleOf(before)) }),
      integer: ({ before }) => rescaled(scaleOf(before), 0),
      float: ({ before }) => {
        const text = decimalText(scaleOf(before));
        return {
          value: (it) => `text_float(${text(it)})`,
          lossSql: (it) => `NOT is_exact(${text(it)})`,
        };
      },
    },
  },
  postgres: {
    column: ({ type }) => `numeric(${precisionOf(type)}, ${scaleOf(type)})`,
    literal: String,
    from: {
      text: ({ after }) => ({
        value: (it) => `${it}::numeric`,
        failureSql: unlessLike(
          scaleOf(after) === 0 ? wholeNumber : `${wholeNumber}(\\.[0-9]{1,${scaleOf(after)}})?`,
        ),
      }),
      integer: () => ({ value: (it) => `${it}::numeric` }),
      float: ({ after }) => ({
        value: (it) => `round(${exactNumeric(it)}, ${scaleOf(after)})`,
        failureSql: (it) => `NOT (${it} > '-Infinity' AND ${it} < 'Infinity')`,
        lossSql: (it) => `${exactNumeric(it)} <> round(${exactNumeric(it)}, ${scaleOf(after)})`,
      }),
      decimal: ({ before, after }) =>
        scaleOf(after) < scaleOf(before) ? rounded(scaleOf(after)) : { value: unchangedSql },
    },
    to: { text: castToText, integer: () => rounded(0), float: asFloat },
  },
  sample: (field) => sampleExact(field, '9.95', computeLimits(field.type)),
  examples: (field) => exampleDigits(field, ['4.50', '12.25', '0.75'], computeLimits(field.type)),
  wrong: 'much',
};

const precisionOf = (type: FieldType) => (type.kind === 'decimal' ? type.precision : 0);

function computeLimits(type: FieldType): Limits {
  const [precision, scale] = [precisionOf(type), scaleOf(type)];
  const digits = '9'.repeat(Math.max(0, precision - scale)) || '0';
  const max = scale === 0 ? digits : `${digits}.${'9'.repeat(scale)}`;
  return { min: `-${max}`, max, scale };
}

/** Moves digits as text, so that a decimal never passes through a float. */
function textToDecimal({ after }: Parameters<ConvertSql>[0]): Conversion {
  const scale = scaleOf(after);
  const zeros = '0'.repeat(scale);
  const fraction: Sql = (it) => `substr(substr(${it}, ${dot(it)} + 1) || '${zeros}', 1, ${scale})`;
  return {
    value: (it) =>
      `CAST(CASE ${dot(it)} WHEN 0 THEN ${it} || '${zeros}' ELSE substr(${it}, 1, ${dot(it)} - 1) || ${fraction(it)} END AS integer)`,
    failureSql: (it) =>
      `CASE WHEN json_valid(${it}) AND ${it} NOT GLOB '*[^-.0-9]*' THEN ${dot(it)} > 0 AND length(${it}) - ${dot(it)} > ${scale} ELSE ${it} IS NOT NULL END`,
  };
}

const dot: Sql = (text) => `instr(${text}, '.')`;

/** Rounds surplus digits, half away from zero. */
function rescaled(from: number, to: number): Conversion {
  if (to >= from) return { value: times(to - from) };
  const divisor = unit(from - to);
  const half = divisor / 2n;
  return {
    value: (it) => `(${it} + CASE WHEN ${it} < 0 THEN -${half} ELSE ${half} END) / ${divisor}`,
    lossSql: (it) => `${it} % ${divisor} <> 0`,
  };
}

function decimalText(scale: number): Sql {
  if (scale === 0) return (it) => `CAST(${it} AS text)`;
  return (it) =>
    `CASE WHEN ${it} IS NOT NULL THEN printf('%s%d.%0${scale}d', CASE WHEN ${it} < 0 THEN '-' ELSE '' END, abs(${it}) / ${unit(scale)}, abs(${it}) % ${unit(scale)}) END`;
}

function times(power: number): Sql {
  return power === 0 ? unchangedSql : (it) => `${it} * ${unit(power)}`;
}

function unit(scale: number): bigint {
  return 10n ** BigInt(scale);
}

function rounded(scale: number): Conversion {
  return {
    value: (it) => `round(${it}, ${scale})`,
    lossSql: (it) => `${it} <> round(${it}, ${scale})`,
  };
}

/** For the comment of a column: `in units of 0.01`. */
const unitNote = (scale: number) => `in units of ${formatScaled(1n, scale)}`;

/** Reads the number of digits from the comment of a column. */
export function findScale(note: string): number | undefined {
  const scale = note.length - unitNote(0).length - 1;
  return scale > 0 && note === unitNote(scale) ? scale : undefined;
}

import type { FieldType } from '../../model/app.ts';
import { type Conversions, scaleOf, type Sql } from '../columns/conversion.ts';
import type { Pair } from '../pairs.ts';

export const sqliteConversions: Conversions = {
  'text>integer': () => ({
    value: (it) => `CAST(${it} AS integer)`,
    fails: (it) => `${it} <> CAST(CAST(${it} AS integer) AS text)`,
  }),
  'text>float': () => ({
    value: (it) => `text_float(${it})`,
    fails: (it) => `${it} IS NOT NULL AND text_float(${it}) IS NULL`,
    loses: (it) => `NOT is_exact(${it})`,
  }),
  'text>decimal': textToDecimal,
  'text>bool': () => ({
    value: (it) => `${it} = 'true'`,
    fails: (it) => `${it} NOT IN ('true', 'false')`,
  }),
  'text>date': () => ({ value: (it) => it, fails: (it) => `${it} IS NOT date(${it})` }),
  'text>time': () => ({
    value: (it) => it,
    // SQLite takes the end of a day for a time of it.
    fails: (it) => `${it} IS NOT strftime('%H:%M:%f', ${it}) OR ${it} >= '24'`,
  }),
  'text>datetime': () => ({
    value: (it) => it,
    fails: (it) =>
      `${it} IS NOT strftime('%Y-%m-%dT%H:%M:%fZ', ${it}) OR substr(${it}, 12) >= '24'`,
  }),
  'text>uuid': () => ({
    value: (it) => `lower(${it})`,
    fails: (it) =>
      `${it} NOT GLOB '????????-????-????-????-????????????' OR replace(${it}, '-', '') GLOB '*[^0-9a-fA-F]*' OR length(replace(${it}, '-', '')) <> 32`,
  }),
  'text>json': () => ({ value: (it) => `CASE WHEN ${it} IS NOT NULL THEN json_quote(${it}) END` }),
  'integer>text': () => ({ value: (it) => `CAST(${it} AS text)` }),
  'integer>float': () => ({
    value: (it) => `CAST(${it} AS real)`,
    // SQLite compares an integer with a float exactly.
    loses: (it) => `CAST(${it} AS real) <> ${it}`,
  }),
  'integer>decimal': ({ after }) => ({ value: (it) => times(it, scaleOf(after)) }),
  'integer>bool': () => ({ value: (it) => it, fails: (it) => `${it} NOT IN (0, 1)` }),
  'float>text': () => ({ value: (it) => `float_text(${it})` }),
  'float>integer': () => ({
    value: (it) => `decimal_units(${it}, 0)`,
    fails: (it) => `NOT (${it} >= -9223372036854775808.0 AND ${it} < 9223372036854775808.0)`,
    loses: (it) => `more_digits(${it}, 0)`,
  }),
  'float>decimal': ({ after }) => ({
    value: (it) => `decimal_units(${it}, ${scaleOf(after)})`,
    loses: (it) => `more_digits(${it}, ${scaleOf(after)})`,
  }),
  'decimal>text': ({ before }) => ({ value: decimalText(scaleOf(before)) }),
  'decimal>integer': ({ before }) => rescaled(scaleOf(before), 0),
  'decimal>float': ({ before }) => {
    const text = decimalText(scaleOf(before));
    return {
      value: (it) => `text_float(${text(it)})`,
      loses: (it) => `NOT is_exact(${text(it)})`,
    };
  },
  'decimal>decimal': ({ before, after }) => rescaled(scaleOf(before), scaleOf(after)),
  'bool>text': () => ({ value: (it) => `CASE ${it} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END` }),
  'bool>integer': () => ({ value: (it) => it }),
  'date>text': () => ({ value: (it) => it }),
  'date>datetime': () => ({ value: (it) => `${it} || 'T00:00:00.000Z'` }),
  'time>text': () => ({ value: (it) => it }),
  'datetime>text': () => ({ value: (it) => it }),
  'datetime>date': () => ({
    value: (it) => `substr(${it}, 1, 10)`,
    loses: (it) => `substr(${it}, 11) <> 'T00:00:00.000Z'`,
  }),
  'datetime>time': () => ({
    value: (it) => `substr(${it}, 12, 12)`,
    loses: (it) => `${it} IS NOT NULL`,
  }),
  'uuid>text': () => ({ value: (it) => it }),
  'json>text': () => ({ value: (it) => it }),
};

/** Digits are moved as text: a decimal never passes through a float. */
function textToDecimal({ after }: Pair<FieldType>) {
  const scale = scaleOf(after);
  const zeros = '0'.repeat(scale);
  const fraction: Sql = (it) => `substr(substr(${it}, ${dot(it)} + 1) || '${zeros}', 1, ${scale})`;
  return {
    value: (it: string) =>
      `CAST(CASE ${dot(it)} WHEN 0 THEN ${it} || '${zeros}' ELSE substr(${it}, 1, ${dot(it)} - 1) || ${fraction(it)} END AS integer)`,
    fails: (it: string) =>
      `CASE WHEN json_valid(${it}) AND ${it} NOT GLOB '*[^-.0-9]*' THEN ${dot(it)} > 0 AND length(${it}) - ${dot(it)} > ${scale} ELSE ${it} IS NOT NULL END`,
  };
}

/** A decimal is an integer in units of its last digit; one that loses digits is rounded, half away from zero. */
function rescaled(from: number, to: number) {
  if (to >= from) return { value: (it: string) => times(it, to - from) };
  const divisor = unit(from - to);
  const half = divisor / 2n;
  return {
    value: (it: string) =>
      `(${it} + CASE WHEN ${it} < 0 THEN -${half} ELSE ${half} END) / ${divisor}`,
    loses: (it: string) => `${it} % ${divisor} <> 0`,
  };
}

function decimalText(scale: number): Sql {
  if (scale === 0) return (it) => `CAST(${it} AS text)`;
  return (it) =>
    `CASE WHEN ${it} IS NOT NULL THEN printf('%s%d.%0${scale}d', ${sign(it)}, abs(${it}) / ${unit(scale)}, abs(${it}) % ${unit(scale)}) END`;
}

function dot(text: string): string {
  return `instr(${text}, '.')`;
}

function sign(number: string): string {
  return `CASE WHEN ${number} < 0 THEN '-' ELSE '' END`;
}

function times(value: string, power: number): string {
  return power === 0 ? value : `${value} * ${unit(power)}`;
}

function unit(scale: number): bigint {
  return 10n ** BigInt(scale);
}

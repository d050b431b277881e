import type { FieldType } from '../../model/app.ts';
import { type Conversions, scaleOf, type Sql } from '../columns/conversion.ts';
import type { Pair } from '../pairs.ts';

export const sqliteConversions: Conversions = {
  'text>integer': () => ({
    value: (it) => `CAST(${it} AS integer)`,
    fails: (it) => `${it} <> CAST(CAST(${it} AS integer) AS text)`,
  }),
  'text>float': () => ({
    value: (it) => `CAST(${it} AS real)`,
    fails: (it) =>
      `CASE WHEN json_valid(${it}) THEN json_type(${it}) NOT IN ('integer', 'real') ELSE ${it} IS NOT NULL END`,
  }),
  'text>decimal': textToDecimal,
  'text>bool': () => ({
    value: (it) => `${it} = 'true'`,
    fails: (it) => `${it} NOT IN ('true', 'false')`,
  }),
  'text>date': () => ({ value: (it) => it, fails: (it) => `${it} IS NOT date(${it})` }),
  'text>time': () => ({
    value: (it) => it,
    fails: (it) => `${it} IS NOT strftime('%H:%M:%f', ${it})`,
  }),
  'text>datetime': () => ({
    value: (it) => it,
    fails: (it) => `${it} IS NOT strftime('%Y-%m-%dT%H:%M:%fZ', ${it})`,
  }),
  'text>uuid': () => ({
    value: (it) => `lower(${it})`,
    fails: (it) => `length(${it}) <> 36 OR ${it} GLOB '*[^-0-9a-fA-F]*'`,
  }),
  'text>json': () => ({ value: (it) => `CASE WHEN ${it} IS NOT NULL THEN json_quote(${it}) END` }),
  'integer>text': () => ({ value: (it) => `CAST(${it} AS text)` }),
  'integer>float': () => ({ value: (it) => `CAST(${it} AS real)`, loses: isBeyondFloat }),
  'integer>decimal': ({ after }) => ({ value: (it) => times(it, scaleOf(after)) }),
  'integer>bool': () => ({ value: (it) => it, fails: (it) => `${it} NOT IN (0, 1)` }),
  'float>text': () => ({
    // Fifteen digits where they are enough to read the same number back.
    value: (it) =>
      `printf(CASE WHEN CAST(printf('%.15g', ${it}) AS real) = ${it} THEN '%.15g' WHEN ${it} IS NOT NULL THEN '%!.17g' END, ${it})`,
  }),
  'float>integer': () => ({
    value: (it) => `CAST(round(${it}) AS integer)`,
    loses: (it) => `${it} <> round(${it})`,
  }),
  'float>decimal': ({ after }) => ({
    value: (it) => `CAST(round(${times(it, scaleOf(after))}) AS integer)`,
    loses: (it) => `${it} <> round(${it}, ${scaleOf(after)})`,
  }),
  'decimal>text': ({ before }) => ({ value: decimalText(scaleOf(before)) }),
  'decimal>integer': ({ before }) => rescaled(scaleOf(before), 0),
  'decimal>float': ({ before }) => ({
    value: (it) => `CAST(${it} AS real) / ${unit(scaleOf(before))}`,
    loses: (it) => `abs(${it}) >= ${unit(15)}`,
  }),
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

/** Above it a float skips whole numbers. */
function isBeyondFloat(value: string): string {
  return `abs(${value}) > ${2 ** 53}`;
}

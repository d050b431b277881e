import type { ConvertSql, Json, Sql } from './field-type.ts';

export function textSql(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export const textLiteral = (value: Json) => textSql(String(value));

/** The value stays as it is. Steps that can skip it compare with this function. */
export const unchangedSql: Sql = (value) => value;

export const copySql: ConvertSql = () => ({ value: unchangedSql });

/** The text that PostgreSQL prints. */
export const castToText: ConvertSql = () => ({ value: (it) => `${it}::text` });

/** PostgreSQL may evaluate an operand before the test beside it, but not inside CASE. */
export function unlessLike(pattern: string, isUnfit: Sql = () => 'false'): Sql {
  return (it) => `CASE WHEN ${it} ~ '^${pattern}$' THEN ${isUnfit(it)} ELSE ${it} IS NOT NULL END`;
}

export const wholeNumber = '-?(0|[1-9][0-9]*)';

/**
 * The number that a float is. The cast to numeric keeps fifteen digits; by way of text it is the shortest number that
 * reads back as the same float, which for large whole numbers is another one.
 */
export function exactNumeric(float: string): string {
  return `CASE WHEN ${float} BETWEEN -9223372036854775808 AND 9223372036854774784 AND ${float} = trunc(${float}) THEN ${float}::bigint::numeric ELSE ${float}::text::numeric END`;
}

/** An exact number becomes a float. */
export const asFloat: ConvertSql = () => ({
  value: (it) => `${it}::double precision`,
  lossSql: (it) => `${exactNumeric(`${it}::double precision`)} <> ${it}`,
});

/** A default in a short form; anything but JSON is a text. */
export function readJson(text: string): Json {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

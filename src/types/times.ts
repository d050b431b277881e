import type { Json } from './field-type.ts';

/** Common to days and times. */
export const timeDefinition = {
  unique: true,
  ordered: 'bytes',
  measured: true,
  typescript: 'string',
} as const;

/** Ten days of a month, for examples. */
export const someDays = ['02', '05', '08', '11', '14', '17', '20', '23', '26', '29'];

/** PostgreSQL patterns for days and times as the API writes them. */
export const dayPattern = '(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])';
export const timePattern = '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{3}';

/** A time as a schema may write it: seconds are optional. */
export const clockPattern = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?`;

export function isDay(value: Json): boolean {
  if (typeof value !== 'string' || !/^(?!0000)\d{4}-\d\d-\d\d$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

/** February 30th does not exist; a cast would abort the migration. */
export function noDaySql(text: string): string {
  const day = `substr(${text}, 9, 2)::integer`;
  return `extract(month FROM (left(${text}, 8) || '01')::date + ${day} - 1) <> substr(${text}, 6, 2)::integer`;
}

/** Moments that PostgreSQL knows and the API does not: infinity, years before the first and after 9999. */
export function noYearSql(moment: string): string {
  return `NOT (${moment} >= '0001-01-01' AND ${moment} < '10000-01-01')`;
}

export function utcSql(instant: string): string {
  return `${instant} AT TIME ZONE 'UTC'`;
}

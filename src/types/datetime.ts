import type { TypeDefinition, Json } from './field-type.ts';
import { wrongType } from './value-flaw.ts';
import { unchangedSql, copySql, unlessLike, textLiteral } from './sql.ts';
import { textStorage } from './texts.ts';
import {
  clockPattern,
  dayPattern,
  isDay,
  noDaySql,
  noYearSql,
  someDays,
  timeDefinition,
  timePattern,
  utcSql,
} from './times.ts';
import { findMomentColumn } from './found-columns.ts';

export const datetime: TypeDefinition = {
  ...timeDefinition,
  reference: {
    written: 'datetime',
    json: 'string, ISO 8601',
    holds: 'a moment in UTC, to the millisecond',
  },
  foreign: ['timestamp', 'timestamptz', 'instant'],
  made: { word: 'now', code: 'now' },
  flawOf: (value) =>
    isMoment(value) ? undefined : wrongType(value, 'a moment, like `2026-01-31T09:30:00Z`'),
  canonical: canonicalDatetime,
  call: 't.DateTime',
  encoded: true,
  family: 'datetime',
  sort: 'day',
  sqlite: {
    ...textStorage.sqlite,
    shape: (column) => `${column} IS strftime('%Y-%m-%dT%H:%M:%fZ', ${column})`,
    made: `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`,
    from: {
      text: () => ({
        value: unchangedSql,
        failureSql: (it) =>
          `${it} IS NOT strftime('%Y-%m-%dT%H:%M:%fZ', ${it}) OR substr(${it}, 12) >= '24'`,
      }),
      date: () => ({ value: (it) => `${it} || 'T00:00:00.000Z'` }),
    },
    to: {
      text: copySql,
      date: () => ({
        value: (it) => `substr(${it}, 1, 10)`,
        lossSql: (it) => `substr(${it}, 11) <> 'T00:00:00.000Z'`,
      }),
      time: () => ({
        value: (it) => `substr(${it}, 12, 12)`,
        lossSql: (it) => `${it} IS NOT NULL`,
      }),
    },
  },
  postgres: {
    column: ({ stored = 'timestamptz' }) =>
      findMomentColumn(stored)?.digits === 6 ? stored : `${stored}(3)`,
    literal: textLiteral,
    made: 'now()',
    from: {
      text: () => ({
        value: (it) => `${it}::timestamptz(3)`,
        failureSql: unlessLike(`${dayPattern}T${timePattern}Z`, noDaySql),
      }),
      date: () => ({
        value: (it) => `${it}::timestamp AT TIME ZONE 'UTC'`,
        failureSql: noYearSql,
      }),
    },
    to: {
      text: () => ({
        value: (it) => `to_char(${utcSql(it)}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
        failureSql: noYearSql,
      }),
      date: () => ({
        value: (it) => `(${utcSql(it)})::date`,
        failureSql: noYearSql,
        lossSql: (it) => `(${utcSql(it)})::time <> '00:00'`,
      }),
      time: () => ({
        value: (it) => `(${utcSql(it)})::time(3)`,
        failureSql: noYearSql,
        lossSql: (it) => `${it} IS NOT NULL`,
      }),
    },
  },
  sample: () => '2026-01-02T03:04:05.678Z',
  examples: () => someDays.map((day) => `2024-01-${day}T09:30:00.000Z`),
  wrong: 'yesterday',
};

const moment = new RegExp(
  `^(\\d{4}-\\d\\d-\\d\\d)(?:[T ]${clockPattern}(?:Z|[+-](?:0\\d|1[0-4]):[0-5]\\d)?)?$`,
);

function isMoment(value: Json): boolean {
  const day = typeof value === 'string' ? moment.exec(value)?.[1] : undefined;
  return day !== undefined && isDay(day);
}

/** A time without a zone is UTC, wherever the generator runs. */
function canonicalDatetime(value: Json): Json {
  const text = String(value).trim().replace(' ', 'T');
  const zoned = /(z|[+-]\d\d:?\d\d)$/i.test(text) || !text.includes('T') ? text : `${text}Z`;
  const time = Date.parse(zoned);
  return Number.isNaN(time) ? value : new Date(time).toISOString();
}

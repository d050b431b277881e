import type { TypeDefinition, Json } from './field-type.ts';
import { requireForm } from './value-flaw.ts';
import { unchangedSql, copySql, unlessLike, textLiteral } from './sql.ts';
import { textStorage } from './texts.ts';
import { clockPattern, someDays, timeDefinition, timePattern } from './times.ts';

export const time: TypeDefinition = {
  ...timeDefinition,
  reference: {
    written: 'time',
    json: 'string, ISO 8601',
    holds: 'a time of day, to the millisecond',
  },
  made: { word: 'now', code: 'now.slice(11, 23)' },
  flawOf: requireForm(new RegExp(`^${clockPattern}$`), 'a time of day, like `09:30` or `09:30:00`'),
  canonical: canonicalTime,
  call: 't.Time',
  encoded: true,
  asText: { least: 12, most: 12 },
  family: 'time',
  sqlite: {
    ...textStorage.sqlite,
    shape: (column) => `${column} IS strftime('%H:%M:%f', ${column})`,
    made: `strftime('%H:%M:%f', 'now')`,
    from: {
      text: () => ({
        value: unchangedSql,
        // SQLite accepts 24:00 as a time of day.
        failureSql: (it) => `${it} IS NOT strftime('%H:%M:%f', ${it}) OR ${it} >= '24'`,
      }),
    },
    to: { text: copySql },
  },
  postgres: {
    column: () => 'time(3)',
    literal: textLiteral,
    made: `(now() AT TIME ZONE 'UTC')::time(3)`,
    from: {
      text: () => ({ value: (it) => `${it}::time(3)`, failureSql: unlessLike(timePattern) }),
    },
    to: { text: () => ({ value: (it) => `to_char(${it}, 'HH24:MI:SS.MS')` }) },
  },
  sample: () => '09:30:00.000',
  examples: () => someDays.map((minute) => `09:${minute}:00.000`),
  wrong: '25:00',
};

/** `09:30` → `09:30:00.000` */
function canonicalTime(value: Json): Json {
  const match = /^(\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?Z?$/.exec(String(value));
  if (match === null) return value;
  const [, minutes, seconds = '00', fraction = ''] = match;
  return `${minutes}:${seconds}.${fraction.padEnd(3, '0')}`;
}

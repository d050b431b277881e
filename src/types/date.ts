import type { TypeDefinition } from './field-type.ts';
import { wrongType } from './value-flaw.ts';
import { unchangedSql, copySql, unlessLike, textLiteral } from './sql.ts';
import { textStorage } from './texts.ts';
import { dayPattern, isDay, noDaySql, noYearSql, someDays, timeDefinition } from './times.ts';

export const date: TypeDefinition = {
  ...timeDefinition,
  reference: { written: 'date', json: 'string, ISO 8601', holds: 'a day' },
  foreign: ['day'],
  made: { word: 'now', code: 'now.slice(0, 10)' },
  flawOf: (value) => (isDay(value) ? undefined : wrongType(value, 'a date, like `2026-01-31`')),
  call: 't.DateOnly',
  asText: { least: 10, most: 10 },
  family: 'date',
  sort: 'day',
  sqlite: {
    ...textStorage.sqlite,
    shape: (column) => `${column} IS date(${column})`,
    made: `date('now')`,
    from: { text: () => ({ value: unchangedSql, failureSql: (it) => `${it} IS NOT date(${it})` }) },
    to: { text: copySql },
  },
  postgres: {
    column: () => 'date',
    literal: textLiteral,
    made: `(now() AT TIME ZONE 'UTC')::date`,
    from: {
      text: () => ({ value: (it) => `${it}::date`, failureSql: unlessLike(dayPattern, noDaySql) }),
    },
    to: { text: () => ({ value: (it) => `to_char(${it}, 'YYYY-MM-DD')`, failureSql: noYearSql }) },
  },
  sample: () => '2026-01-02',
  examples: () => someDays.map((day) => `2024-01-${day}`),
  wrong: '2024-02-30',
};

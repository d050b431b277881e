import { findScale, mostDigits } from '../../types/decimal.ts';
import type { FoundColumn } from '../catalogue.ts';
import {
  type ColumnScope,
  type Converted,
  decimalType,
  plainType,
  type PlainKind,
  withRange,
  withLengths,
} from './column-types.ts';
import { placePoint } from './defaults.ts';
import type { ColumnRules } from './rules.ts';

/** Only in strict tables, such as ours, does SQLite enforce a declared type. */
export function sqliteType(column: FoundColumn, scope: ColumnScope): Converted | undefined {
  const { rules } = scope;
  const [, base = '', digits = ''] = /^([\w\s]*?)\s*(?:\(([\d,\s]+)\))?$/.exec(column.type) ?? [];
  const [size, scale = 0] = digits === '' ? [] : digits.split(',').map(Number);
  const { shape } = rules;
  if (shape === 'bool' || /^bool|^tinyint$/.test(base)) return plainType('bool');
  if (shape === 'list') return plainType(column.note?.endsWith('numbers') ? 'int[]' : 'string[]');
  if (shape !== undefined) return plainType(shape);
  if (rules.values !== undefined)
    return { type: { kind: 'enum', enum: scope.enumFor(rules.values) } };
  if (/int/.test(base)) return integerType(column, scope);
  if (/char|clob|text|string/.test(base)) {
    const most = rules.most ?? size;
    const isShort = /char/.test(base) || most !== undefined;
    return withLengths(isShort ? 'string' : 'text', { ...rules, most });
  }
  if (base.startsWith('blob')) return withLengths('bytes', rules);
  if (/real|floa|doub/.test(base)) return withRange('float', rules);
  if (/^(?:decimal|numeric)/.test(base) && size !== undefined)
    return decimalType(size, scale, scope);
  const kind = hinted[base];
  return kind && plainType(kind);
}

const hinted: Readonly<Record<string, PlainKind>> = {
  date: 'date',
  time: 'time',
  datetime: 'datetime',
  timestamp: 'datetime',
  json: 'json',
  jsonb: 'json',
  uuid: 'uuid',
};

function integerType({ note = '' }: FoundColumn, { rules, table }: ColumnScope): Converted {
  const scale = findScale(note);
  if (scale !== undefined) return scaledType(scale, rules);
  const { min, max } = rules;
  const isSmall = [min, max].every((it) => it !== undefined && Math.abs(Number(it)) <= 2 ** 31);
  if (isSmall) return withRange('int', rules, true);
  if (table.isStrict === true) return withRange('bigint', rules);
  return { ...withRange('int', rules), lost: 'of 32 bits' };
}

/** A number that is stored in units of its last digit. */
function scaledType(scale: number, { min, max }: ColumnRules): Converted {
  const isWhole = max !== undefined && /^9+$/.test(max) && min === `-${max}`;
  const precision = isWhole ? max.length : mostDigits.sqlite;
  const type = { kind: 'decimal', precision, scale } as const;
  if (isWhole) return { type, scale };
  const [least, most] = [min, max].map((it) =>
    it === undefined ? undefined : placePoint(it, scale),
  );
  return { type, scale, min: least, max: most };
}

import { mostDigits } from '../../types/decimal.ts';
import { type Converted, decimalType, listType } from '../converted.ts';
import type { DraftField } from '../draft.ts';
import type { Catalogue, FoundColumn, FoundTable } from './catalogue.ts';
import type { ColumnRules } from './rules.ts';
import { defaultOf, type ConvertedColumn, point } from './defaults.ts';

export interface ColumnScope {
  readonly table: FoundTable;
  readonly catalogue: Catalogue;
  readonly rules: ColumnRules;
  /** The enum that has these values. */
  readonly enumFor: (values: readonly string[]) => string;
}

/** A column as a field, with what is lost on the way; undefined for one that no type here holds. */
export function fieldOf(
  column: FoundColumn,
  scope: ColumnScope,
): { readonly field: DraftField; readonly lost: readonly string[] } | undefined {
  const isOfPostgres = scope.table.isStrict === undefined;
  const found = isOfPostgres ? postgresType(column, scope) : sqliteType(column, scope);
  if (found === undefined) return undefined;
  const initial = defaultOf(column, found);
  const lost = [
    found.lost,
    initial.lost,
    column.lost,
    column.isGenerated ? 'it is calculated no more' : undefined,
    column.isCaseless ? 'capitals count now' : undefined,
  ];
  return {
    field: {
      type: `${found.type}${column.nullable ? '?' : ''}`,
      min: found.min,
      max: found.max,
      default: initial.value,
      flags: [],
      description: column.comment,
    },
    lost: lost.filter((it) => it !== undefined),
  };
}

function postgresType({ type }: FoundColumn, scope: ColumnScope): ConvertedColumn | undefined {
  const { rules, catalogue } = scope;
  const values = rules.values ?? catalogue.enums.get(type);
  if (values !== undefined) return { type: scope.enumFor(values) };
  const [, base = type, digits = ''] =
    /^([\w\s]+?)(?:\(([\d,\s]+)\))?(?: with(?:out)? time zone)?$/.exec(type) ?? [];
  const [size, scale = 0] = digits.split(',').map(Number);
  switch (base) {
    case 'character varying':
      return { type: sized('string', { ...rules, most: digits === '' ? rules.most : size }) };
    case 'character':
      return { type: sized('string', { ...rules, most: size }), lost: 'blanks at the end count' };
    case 'text':
      return { type: sized('text', rules) };
    case 'citext':
      return { type: sized('string', rules), lost: 'capitals count now' };
    case 'smallint':
    case 'integer':
      return { type: ranged('int', rules, int32) };
    case 'bigint':
      return { type: ranged('bigint', rules) };
    case 'real':
    case 'double precision':
      return { type: ranged('float', rules) };
    case 'numeric':
      return digits === ''
        ? boundedDecimal(65, 30, scope)
        : boundedDecimal(size ?? 65, scale, scope);
    case 'boolean':
      return { type: 'bool' };
    case 'bytea':
      return { type: sized('bytes', rules) };
    case 'jsonb':
    case 'json':
      return { type: 'json' };
    case 'date':
    case 'uuid':
      return { type: base };
    case 'time':
      return { type: 'time' };
    case 'timestamp':
      return { type: 'datetime' };
    default:
      return arrayType(type, catalogue);
  }
}

function arrayType(type: string, { enums }: Catalogue): Converted | undefined {
  const [, item] = /^(.*)\[\]$/.exec(type) ?? [];
  if (item === undefined) return undefined;
  if (enums.has(item.replaceAll('"', ''))) return listType('enum');
  const isText = /^(?:text|character varying)/.test(item);
  return listType(isText ? 'string' : item === 'integer' ? 'int' : undefined);
}

const int32 = { min: '-2147483648', max: '2147483647' };

/** Strict tables are those that this tool makes; in others a declared type is a hint. */
function sqliteType(column: FoundColumn, scope: ColumnScope): ConvertedColumn | undefined {
  const { rules, table } = scope;
  const [, base = '', digits = ''] = /^([\w\s]*?)\s*(?:\(([\d,\s]+)\))?$/.exec(column.type) ?? [];
  const [size, scale = 0] = digits === '' ? [] : digits.split(',').map(Number);
  const { shape } = rules;
  if (shape === 'bool' || /^bool|^tinyint$/.test(base)) return { type: 'bool' };
  if (shape === 'list') return { type: column.note?.endsWith('numbers') ? 'int[]' : 'string[]' };
  if (shape !== undefined) return { type: shape };
  if (rules.values !== undefined) return { type: scope.enumFor(rules.values) };
  if (/int/.test(base)) return integerType(column, rules, table.isStrict === true);
  if (/char|clob|text|string/.test(base)) {
    const most = rules.most ?? size;
    const isShort = /char/.test(base) || most !== undefined;
    return { type: sized(isShort ? 'string' : 'text', { ...rules, most }) };
  }
  if (base.startsWith('blob')) return { type: sized('bytes', rules) };
  if (/real|floa|doub/.test(base)) return { type: ranged('float', rules) };
  if (/^(?:decimal|numeric)/.test(base) && size !== undefined)
    return boundedDecimal(size, scale, scope);
  const times: Readonly<Record<string, string>> = {
    date: 'date',
    time: 'time',
    datetime: 'datetime',
    timestamp: 'datetime',
  };
  const known =
    times[base] ?? (base.startsWith('json') ? 'json' : base === 'uuid' ? 'uuid' : undefined);
  return known === undefined ? undefined : { type: known };
}

function integerType(
  { note = '' }: FoundColumn,
  rules: ColumnRules,
  isStrict: boolean,
): ConvertedColumn {
  const [, unit] = /^in units of (0\.0*1)$/.exec(note) ?? [];
  if (unit !== undefined) return scaledType(unit.length - 2, rules);
  const { min, max } = rules;
  const isSmall = [min, max].every((it) => it !== undefined && Math.abs(Number(it)) <= 2 ** 31);
  if (isSmall) return { type: ranged('int', rules, int32) };
  if (isStrict) return { type: ranged('bigint', rules) };
  return { type: ranged('int', rules), lost: 'of 32 bits' };
}

/** Kept in units of the last digit. */
function scaledType(scale: number, { min, max }: ColumnRules): ConvertedColumn {
  const isWhole = max !== undefined && /^9+$/.test(max) && min === `-${max}`;
  if (isWhole) return { type: `decimal(${max.length},${scale})`, scale };
  const type = `decimal(${mostDigits.sqlite},${scale})`;
  const [least, most] = [min, max].map((it) => (it === undefined ? undefined : point(it, scale)));
  return { type, scale, min: least, max: most };
}

function boundedDecimal(
  digits: number,
  scale: number,
  { rules: { min, max }, catalogue }: ColumnScope,
): ConvertedColumn {
  const found = decimalType(digits, scale, mostDigits[catalogue.engine]);
  return found.lost === undefined ? { ...found, min, max } : found;
}

function sized(type: string, { least, most }: ColumnRules): string {
  if (least === undefined && most === undefined) return type;
  return `${type}(${least === undefined || least === 0 ? '' : least}..${most ?? ''})`;
}

/** Bounds that the type has anyhow need not be said. */
function ranged(
  type: string,
  { min, max }: ColumnRules,
  limits: Partial<typeof int32> = {},
): string {
  const [least, most] = [min === limits.min ? '' : min, max === limits.max ? '' : max];
  return (least ?? '') === '' && (most ?? '') === ''
    ? type
    : `${type}(${least ?? ''}..${most ?? ''})`;
}

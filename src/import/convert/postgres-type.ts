import type { Catalogue, FoundColumn } from '../catalogue.ts';
import {
  type ColumnScope,
  type Converted,
  decimalType,
  listType,
  ranged,
  sized,
} from './column-types.ts';

/** Undefined for a type that no field type can hold. */
export function postgresType({ type }: FoundColumn, scope: ColumnScope): Converted | undefined {
  const { rules, catalogue } = scope;
  const values = rules.values ?? catalogue.enums.get(type);
  if (values !== undefined) return { type: { kind: 'enum', enum: scope.enumFor(values) } };
  const [, base = type, digits = ''] =
    /^([\w\s]+?)(?:\(([\d,\s]+)\))?(?: with(?:out)? time zone)?$/.exec(type) ?? [];
  const plain = plainTypes[base];
  if (plain !== undefined) return { type: { kind: plain } };
  const [size, scale] = digits === '' ? [] : digits.split(',').map(Number);
  const bounded: Readonly<Record<string, () => Converted>> = {
    'character varying': () => sized('string', { ...rules, most: size ?? rules.most }),
    character: () => ({ ...sized('string', { ...rules, most: size }), lost: paddedLoss }),
    text: () => sized('text', rules),
    citext: () => ({ ...sized('string', rules), lost: 'it becomes case-sensitive' }),
    smallint: () => ranged('int', rules, true),
    integer: () => ranged('int', rules, true),
    bigint: () => ranged('bigint', rules),
    real: () => ranged('float', rules),
    'double precision': () => ranged('float', rules),
    numeric: () => decimalType(size ?? 65, size === undefined ? 30 : (scale ?? 0), scope),
    bytea: () => sized('bytes', rules),
  };
  return bounded[base]?.() ?? arrayType(type, catalogue);
}

const paddedLoss = 'trailing spaces are significant';

type PlainType = 'bool' | 'json' | 'date' | 'uuid' | 'time' | 'datetime';

/** Types that their name describes completely. */
const plainTypes: Readonly<Record<string, PlainType>> = {
  boolean: 'bool',
  jsonb: 'json',
  json: 'json',
  date: 'date',
  uuid: 'uuid',
  time: 'time',
  timestamp: 'datetime',
};

function arrayType(type: string, { enums }: Catalogue): Converted | undefined {
  const [, item] = /^(.*)\[\]$/.exec(type) ?? [];
  if (item === undefined) return undefined;
  if (enums.has(item.replaceAll('"', ''))) return listType('enum');
  const isText = /^(?:text|character varying)/.test(item);
  return listType(isText ? 'string' : item === 'integer' ? 'int' : undefined);
}

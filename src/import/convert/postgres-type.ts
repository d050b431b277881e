import type { Catalogue, FoundColumn } from '../catalogue.ts';
import {
  type ColumnScope,
  type Converted,
  decimalType,
  plain,
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
  const [size, scale = 0] = digits === '' ? [] : digits.split(',').map(Number);
  const known: Readonly<Record<string, () => Converted>> = {
    boolean: () => plain('bool'),
    jsonb: () => plain('json'),
    json: () => plain('json'),
    date: () => plain('date'),
    uuid: () => plain('uuid'),
    time: () => plain('time'),
    timestamp: () => plain('datetime'),
    'character varying': () => sized('string', { ...rules, most: size ?? rules.most }),
    character: () => ({ ...sized('string', { ...rules, most: size }), lost: paddedLoss }),
    text: () => sized('text', rules),
    citext: () => ({ ...sized('string', rules), lost: 'it becomes case-sensitive' }),
    smallint: () => ranged('int', rules, true),
    integer: () => ranged('int', rules, true),
    bigint: () => ranged('bigint', rules),
    real: () => ranged('float', rules),
    'double precision': () => ranged('float', rules),
    numeric: () =>
      size === undefined ? decimalType(65, 30, scope) : decimalType(size, scale, scope),
    bytea: () => sized('bytes', rules),
  };
  return known[base]?.() ?? arrayType(type, catalogue);
}

const paddedLoss = 'trailing spaces are significant';

function arrayType(type: string, { enums }: Catalogue): Converted | undefined {
  const [, item] = /^(.*)\[\]$/.exec(type) ?? [];
  if (item === undefined) return undefined;
  if (enums.has(item.replaceAll('"', ''))) {
    return { ...plain('string[]'), lost: 'a list of arbitrary texts' };
  }
  if (/^(?:text|character varying)/.test(item)) return plain('string[]');
  if (item === 'integer') return plain('int[]');
  return { ...plain('json'), lost: 'a list, whose items are not checked' };
}

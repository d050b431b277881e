import type { Catalogue, FoundColumn } from '../catalogue.ts';
import {
  type ColumnScope,
  type Converted,
  decimalType,
  plainType,
  withRange,
  withLengths,
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
    boolean: () => plainType('bool'),
    jsonb: () => plainType('json'),
    json: () => plainType('json'),
    date: () => plainType('date'),
    uuid: () => plainType('uuid'),
    time: () => plainType('time'),
    timestamp: () => plainType('datetime'),
    'character varying': () => withLengths('string', { ...rules, most: size ?? rules.most }),
    character: () => ({ ...withLengths('string', { ...rules, most: size }), lost: paddedLoss }),
    text: () => withLengths('text', rules),
    citext: () => ({ ...withLengths('string', rules), lost: 'it becomes case-sensitive' }),
    smallint: () => withRange('int', rules, true),
    integer: () => withRange('int', rules, true),
    bigint: () => withRange('bigint', rules),
    real: () => withRange('float', rules),
    'double precision': () => withRange('float', rules),
    numeric: () =>
      size === undefined ? decimalType(65, 30, scope) : decimalType(size, scale, scope),
    bytea: () => withLengths('bytes', rules),
  };
  return known[base]?.() ?? arrayType(type, catalogue);
}

const paddedLoss = 'trailing spaces are significant';

function arrayType(type: string, { enums }: Catalogue): Converted | undefined {
  const [, item] = /^(.*)\[\]$/.exec(type) ?? [];
  if (item === undefined) return undefined;
  if (enums.has(item.replaceAll('"', ''))) {
    return { ...plainType('string[]'), lost: 'a list of arbitrary texts' };
  }
  if (/^(?:text|character varying)/.test(item)) return plainType('string[]');
  if (item === 'integer') return plainType('int[]');
  return { ...plainType('json'), lost: 'a list, whose items are not checked' };
}

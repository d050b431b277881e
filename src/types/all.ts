import { bool } from './bool.ts';
import { bytes } from './bytes.ts';
import { date } from './date.ts';
import { datetime } from './datetime.ts';
import { decimal } from './decimal.ts';
import { email } from './email.ts';
import { enumeration } from './enum.ts';
import {
  type Engine,
  type Conversion,
  type FieldType,
  type Kind,
  type ScalarType,
  type TypedField,
  type TypeDefinition,
  scaleOf,
  type Json,
} from './field-type.ts';
import { float } from './float.ts';
import { bigint, id, int } from './int.ts';
import { json } from './json.ts';
import { ints, strings } from './lists.ts';
import { unchangedSql } from './sql.ts';
import { string, text } from './string.ts';
import { time } from './time.ts';
import { url } from './url.ts';
import { uuid } from './uuid.ts';

/** Every type, in the order of reports. */
export const fieldTypes: Readonly<Record<Kind, TypeDefinition>> = {
  string,
  text,
  email,
  url,
  int,
  bigint,
  float,
  decimal,
  bool,
  date,
  time,
  datetime,
  uuid,
  json,
  bytes,
  'string[]': strings,
  'int[]': ints,
  enum: enumeration,
  id,
};

export function isScalar(name: string): name is ScalarType {
  return Object.hasOwn(fieldTypes, name) && name !== 'enum' && name !== 'id';
}

/** Undefined if the name is not that of a type, as for an enum or a typing error. */
export function findFieldType(name: string): TypeDefinition | undefined {
  return isScalar(name) ? fieldTypes[name] : undefined;
}

export const scalarNames: readonly ScalarType[] = Object.keys(fieldTypes).filter(isScalar);

/** A type as people would write it: `string`, `decimal(10,2)`. */
export const typicalType = (name: ScalarType): string => fieldTypes[name].typical ?? name;

/** Our types by their names in SQL, TypeScript and other generators. */
export const foreignTypes: ReadonlyMap<string, string> = new Map(
  scalarNames.flatMap((name) =>
    (fieldTypes[name].foreign ?? []).map((word) => [word, typicalType(name)] as const),
  ),
);

/** Spells a type as a schema does: `decimal(10,2)`. */
export function spellType(type: FieldType): string {
  if (type.kind === 'enum') return type.enum;
  return type.kind === 'decimal' ? `decimal(${type.precision},${type.scale})` : type.kind;
}

/** The value in the form of the API, which code and SQL are given. */
export function canonicalValue(type: FieldType, value: Json): Json {
  return fieldTypes[type.kind].canonical?.(value, type) ?? value;
}

/** Reads a value from a word in a short form or a condition. */
export function readValue(type: FieldType, written: string): Json {
  return canonicalValue(type, fieldTypes[type.kind].read?.(written) ?? written);
}

/** Undefined if the field refuses the value. */
export function findValueIn(field: TypedField, written: string): Json | undefined {
  const { read, flawOf } = fieldTypes[field.type.kind];
  const value = read?.(written) ?? written;
  return flawOf(value, field) === undefined ? canonicalValue(field.type, value) : undefined;
}

/** Undefined if there is no sensible conversion. */
export function findConversion(
  types: { readonly before: FieldType; readonly after: FieldType },
  engine: Engine,
): Conversion | undefined {
  const before = fieldTypes[types.before.kind];
  const after = fieldTypes[types.after.kind];
  const isSame = before.family === after.family && scaleOf(types.before) === scaleOf(types.after);
  if (isSame) return copyColumn;
  const convert = after[engine].from?.[before.family] ?? before[engine].to?.[after.family];
  return convert?.(types);
}

export const copyColumn: Conversion = { value: unchangedSql };

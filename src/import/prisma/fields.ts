import { asHash, type Converted, decimalType, listType, replacedHash } from '../converted.ts';
import type { DraftField } from '../draft.ts';
import { type Engine, parseJson } from '../../types/field-type.ts';
import { factsOf } from '../../types/all.ts';
import { mostDigits } from '../../types/decimal.ts';
import type { Notebook } from '../notes.ts';
import { isPasswordHash } from '../password-hash.ts';
import type { Value } from './parser.ts';
import { attribute, calledBy, itemsOf, numbersOf, textOf } from './values.ts';
import type { PrismaField, PrismaModel } from './schema.ts';

export interface FieldScope {
  readonly model: PrismaModel;
  readonly enums: ReadonlySet<string>;
  readonly database: Engine;
  readonly notes: Notebook;
}

const scalarTypes: Readonly<Record<string, (field: PrismaField, scope: FieldScope) => Converted>> =
  {
    String: textType,
    Int: () => ({ type: 'int' }),
    BigInt: () => ({ type: 'bigint' }),
    Float: () => ({ type: 'float' }),
    Decimal: numberType,
    Boolean: () => ({ type: 'bool' }),
    DateTime: (field) => ({
      type: native(field, 'Date') ? 'date' : isTime(field) ? 'time' : 'datetime',
    }),
    Json: () => ({ type: 'json' }),
    Bytes: () => ({ type: 'bytes' }),
  };

const itemTypes: Readonly<Record<string, 'string' | 'int'>> = { String: 'string', Int: 'int' };

const native = (field: PrismaField, name: string) => attribute(field, `db.${name}`);
const isTime = (field: PrismaField) => native(field, 'Time') ?? native(field, 'Timetz');

function textType(field: PrismaField): Converted {
  const sized = native(field, 'VarChar') ?? native(field, 'Char');
  const [most] = numbersOf(sized);
  if (most !== undefined) return { type: `string(..${most})` };
  if (native(field, 'Citext')) return { type: 'string', lost: 'capitals count now' };
  const isUuid = native(field, 'Uuid') ?? madeBy(field) === 'uuid';
  return { type: isUuid ? 'uuid' : native(field, 'Text') ? 'text' : 'string' };
}

function numberType(field: PrismaField, { database }: FieldScope): Converted {
  const [digits = 65, scale = 30] = numbersOf(native(field, 'Decimal'));
  return decimalType(digits, scale, mostDigits[database], 'Prisma');
}

function madeBy(field: PrismaField): string | undefined {
  return calledBy(attribute(field, 'default')?.values[0]);
}

/** A column as a field; nothing for one that no type here holds. */
export function convertField(field: PrismaField, scope: FieldScope): DraftField | undefined {
  const { model, enums, notes } = scope;
  const what = `${model.name}.${field.name} ${field.type}${field.isList ? '[]' : ''}`;
  const convert = scalarTypes[field.type] ?? (enums.has(field.type) ? enumType : undefined);
  if (convert === undefined) {
    notes.left(field.place, what, 'no type here holds it');
    return undefined;
  }
  const { type: written, lost } = field.isList
    ? listType(enums.has(field.type) ? 'enum' : itemTypes[field.type])
    : convert(field, scope);
  const made = defaultOf(field, written);
  const isHash = model.name === 'User' && isPasswordHash(field.name);
  const replaced = isHash ? replacedHash : undefined;
  const losses = [lost, made.lost, flagLoss(field, written), replaced].filter(
    (it) => it !== undefined,
  );
  if (losses.length > 0) notes.changed(field.place, what, `\`${written}\`: ${losses.join('; ')}`);
  else notes.exact();
  const isMade = made.value === 'now' && /^created_?at$/i.test(field.name);
  const converted: DraftField = {
    type: `${written}${field.isOptional && !field.isList ? '?' : ''}`,
    default: made.value,
    flags: [
      ...(attribute(field, 'unique') && mayBeUnique(written) ? (['unique'] as const) : []),
      ...(isMade ? (['readonly'] as const) : []),
    ],
    description: field.description,
  };
  return isHash ? asHash(converted) : converted;
}

const enumType = (field: PrismaField): Converted => ({ type: field.type });

/** Of a type as it is written: `decimal(10,2)?`. */
export function mayBeUnique(written: string): boolean {
  const [name = ''] = /^\w+(?:\[\])?/.exec(written) ?? [];
  return factsOf(name)?.unique ?? false;
}

function flagLoss(field: PrismaField, written: string): string | undefined {
  if (attribute(field, 'unique') && !mayBeUnique(written)) return 'it is not unique';
  return undefined;
}

/** The default as the schema says it, or what is lost of it. */
function defaultOf(field: PrismaField, written: string): { value?: unknown; lost?: string } {
  if (attribute(field, 'updatedAt')) {
    return { value: 'now', lost: 'it is set when a row is made, and not at each change' };
  }
  const value = attribute(field, 'default')?.values[0];
  if (value === undefined) return field.isList ? { value: [] } : {};
  const call = calledBy(value);
  if (call === 'now' || (call === 'uuid' && written === 'uuid')) return { value: call };
  if (call !== undefined)
    return { lost: `its default, \`${call}()\`, is left to whoever makes the row` };
  const literal = literalOf(value, written);
  return literal === undefined ? { lost: 'it has no default' } : { value: literal };
}

function literalOf(value: Value, written: string): unknown {
  const items = itemsOf(value);
  if (items) return items.map((it) => literalOf(it, written.replace('[]', '')));
  const text = textOf(value);
  if (written === 'bool') return String(value) === 'true';
  if (written === 'json' && text !== undefined) return parseJson(text);
  if (/^(?:int|float)$/.test(written)) return Number(text ?? value);
  // Prisma writes a whole moment, of which the column keeps a part.
  if (written === 'date') return text?.slice(0, '2026-01-01'.length);
  if (written === 'time') return /T([\d:.]+)/.exec(text ?? '')?.[1];
  return text ?? (typeof value === 'number' ? String(value) : undefined);
}

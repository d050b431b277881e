import type { FieldSchema } from '../schema/keys/field.ts';
import type { ModelSchema } from '../schema/keys/model.ts';
import type { Schema } from '../schema/keys/top.ts';
import { findFieldType } from '../types/all.ts';

/** An entry of a PostgreSQL index has at most 2,704 bytes, and a character has up to four of them. */
const longestEntry = 640;

/** The maximum length of a text that declares none. Existing columns may hold longer texts. */
export function findImpliedMax(
  model: ModelSchema,
  field: FieldSchema,
  storage: Schema['storage'],
): number | undefined {
  const ofType = findFieldType(field.type.value)?.lengths;
  if (ofType !== undefined) return ofType.most;
  if (!isUnbounded(field) || storage?.texts?.value === 'default') return undefined;
  const most = Math.max(
    0,
    ...listEntries(model, field).map((fields) => fields.filter(isUnbounded).length),
  );
  return most === 0 ? undefined : Math.floor(longestEntry / most);
}

/** For each index of a field: the fields of the index. */
function listEntries(model: ModelSchema, field: FieldSchema): readonly (readonly FieldSchema[])[] {
  const listed = [
    ...model.unique.map(({ keys }) => keys.map((name) => name.value)),
    ...model.indexes.map(({ keys }) => keys.map((key) => key.field.value)),
  ].filter((names) => names.includes(field.name.value));
  const pickFields = (names: readonly string[]) =>
    model.fields.filter(({ name }) => names.includes(name.value));
  return [...(field.unique || field.index ? [[field]] : []), ...listed.map(pickFields)];
}

function isUnbounded({ type, max }: FieldSchema): boolean {
  const facts = findFieldType(type.value);
  return max === undefined && facts?.range === 'characters' && facts.lengths === undefined;
}

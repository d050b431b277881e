import type { FieldSchema } from '../schema/keys/field.ts';
import type { ModelSchema } from '../schema/keys/model.ts';
import type { Schema } from '../schema/keys/top.ts';
import { findFacts } from '../types/all.ts';

/** An entry of a PostgreSQL index holds 2,704 bytes, and a character takes up to four of them. */
const longestEntry = 640;

/** The bound of a text without one: that of its type or indexes; columns of other programs may hold more. */
export function impliedMax(
  model: ModelSchema,
  field: FieldSchema,
  storage: Schema['storage'],
): number | undefined {
  const ofType = findFacts(field.type.value)?.lengths;
  if (ofType !== undefined) return ofType.most;
  if (!isUnbounded(field) || storage?.texts?.value === 'default') return undefined;
  const most = Math.max(
    0,
    ...entriesOf(model, field).map((fields) => fields.filter(isUnbounded).length),
  );
  return most === 0 ? undefined : Math.floor(longestEntry / most);
}

/** The fields that share an index with this one, once for each index. */
function entriesOf(model: ModelSchema, field: FieldSchema): readonly (readonly FieldSchema[])[] {
  const listed = [
    ...model.unique.map(({ keys }) => keys.map((name) => name.value)),
    ...model.indexes.map(({ keys }) => keys.map((key) => key.field.value)),
  ].filter((names) => names.includes(field.name.value));
  const fieldsOf = (names: readonly string[]) =>
    model.fields.filter(({ name }) => names.includes(name.value));
  return [...(field.unique || field.index ? [[field]] : []), ...listed.map(fieldsOf)];
}

function isUnbounded({ type, max }: FieldSchema): boolean {
  const facts = findFacts(type.value);
  return max === undefined && facts?.range === 'characters' && facts.lengths === undefined;
}

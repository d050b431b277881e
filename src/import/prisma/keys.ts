import { longestKey } from '../../types/keys.ts';
import type { DraftModel } from '../draft.ts';
import type { Notebook } from '../notes.ts';
import {
  attribute,
  calledBy,
  namesOf,
  numbersOf,
  type PrismaField,
  type PrismaModel,
} from './read.ts';
import { keyOf } from './relations.ts';

interface Key {
  /** What `id` says in the schema. */
  readonly kind?: DraftModel['id'];
  /** The column that is the key still. */
  readonly column?: string;
  /** What the key was, where a row gets an `id` of its own. */
  readonly unique?: readonly string[];
}

export function convertKey(
  model: PrismaModel,
  keys: ReadonlyMap<string, string>,
  notes: Notebook,
): Key {
  const field = keyOf(model);
  const id = model.fields.find(({ name, isList }) => name === 'id' && !isList);
  if (field === undefined && id !== undefined) {
    notes.changed(id.place, `${model.name}.id, in a key of several columns`, 'the key by itself');
    return { ...kindOf(id, model), column: 'id' };
  }
  if (field === undefined) {
    const group = attribute(model, 'id');
    const names = namesOf(group?.values[0] ?? group?.named.get('fields')).map(({ name }) => name);
    const was = names.length > 0 ? `@@id([${names.join(', ')}])` : 'no key';
    notes.changed(model.place, `${model.name}, ${was}`, 'an `id` of its own');
    return names.length > 0 ? { unique: names } : {};
  }
  const what = `${model.name}.${field.name}`;
  if (field.name !== 'id' || keys.has(field.name)) {
    notes.changed(field.place, what, 'unique, beside an `id` of its own');
    return {};
  }
  notes.exact();
  return { ...kindOf(field, model), column: field.name };
}

const madeTexts: Readonly<Record<string, string>> = {
  uuid: 'uuid text',
  cuid: 'cuid',
  ulid: 'ulid',
  nanoid: 'nanoid',
};

/** Whoever signs up has no id to send. */
function kindOf(field: PrismaField, { name }: PrismaModel): Pick<Key, 'kind'> {
  if (field.type !== 'String') return {};
  if (attribute(field, 'db.Uuid')) return { kind: 'uuid' };
  const made = calledBy(attribute(field, 'default')?.values[0]);
  const maker = madeTexts[made ?? ''] ?? (name === 'User' ? 'cuid' : undefined);
  if (maker !== undefined) return { kind: maker };
  const [max = longestKey] = numbersOf(attribute(field, 'db.VarChar'));
  return { kind: max < longestKey ? { type: 'text', max } : 'text' };
}

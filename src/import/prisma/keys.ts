import type { Notebook } from '../notes.ts';
import { attribute, calledBy, namesOf, type PrismaModel } from './read.ts';
import { keyOf } from './relations.ts';

interface Key {
  readonly kind?: 'uuid';
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
    return { ...(id.type === 'String' && { kind: 'uuid' }), column: 'id' };
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
  const made = calledBy(attribute(field, 'default')?.values[0]);
  if (field.type !== 'String') {
    notes.exact();
    return { column: field.name };
  }
  if (made === 'uuid' || attribute(field, 'db.Uuid')) notes.exact();
  else
    notes.changed(
      field.place,
      `${what} ${made === undefined ? '' : `${made}()`}`.trim(),
      'a uuid that the server makes',
    );
  return { kind: 'uuid', column: field.name };
}

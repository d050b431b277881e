import { longestKey } from '../../types/keys.ts';
import type { DraftModel } from '../draft.ts';
import { legalName } from '../legal-name.ts';
import { inColumn } from '../naming.ts';
import type { Notebook } from '../notes.ts';
import { columnOf } from './naming.ts';
import type { PrismaField, PrismaModel } from './schema.ts';
import { attribute, calledBy, namesOf, numbersOf } from './values.ts';

/** The column that is the key of a model, if it is one. */
export function keyOf(model: PrismaModel): PrismaField | undefined {
  return model.fields.find((field) => attribute(field, 'id') !== undefined);
}

/** The same, where it is the `id` here. */
export function keptKeyOf(model: PrismaModel): PrismaField | undefined {
  const field = keyOf(model) ?? model.fields.find(({ name, isList }) => name === 'id' && !isList);
  if (field === undefined) return undefined;
  const leadsOn = model.fields.some((it) => {
    const [key, ...more] = namesOf(attribute(it, 'relation')?.named.get('fields'));
    return key?.name === field.name && more.length === 0;
  });
  return !leadsOn && (field.name === 'id' || mayHaveColumn(field, model)) ? field : undefined;
}

interface Key {
  /** What `id` says in the schema. */
  readonly kind?: DraftModel['id'];
  /** The field that is the key still. */
  readonly field?: string;
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
    return { kind: idOf(id, model), field: 'id' };
  }
  if (field === undefined) {
    const group = attribute(model, 'id');
    const names = namesOf(group?.values[0] ?? group?.named.get('fields')).map(({ name }) => name);
    const was = names.length > 0 ? `@@id([${names.join(', ')}])` : 'no key';
    notes.changed(model.place, `${model.name}, ${was}`, 'an `id` of its own');
    return names.length > 0 ? { unique: names } : {};
  }
  const what = `${model.name}.${field.name}`;
  const isKept = mayHaveColumn(field, model);
  if (keys.has(field.name) || (field.name !== 'id' && !isKept)) {
    notes.changed(field.place, what, 'unique, beside an `id` of its own');
    return {};
  }
  if (field.name !== 'id') notes.changed(field.place, what, '`id`, in the same column');
  else if (columnOf(field) !== 'id' && !isKept)
    notes.changed(field.place, what, 'its column is called `id`');
  else notes.exact();
  return { kind: idOf(field, model), field: field.name };
}

/** Whether an id here may be in that column: a number that people give is none. */
function mayHaveColumn(field: PrismaField, { name }: PrismaModel): boolean {
  const isCounted = calledBy(attribute(field, 'default')?.values[0]) === 'autoincrement';
  const isKind = field.type === 'String' || field.name === 'id' || isCounted;
  return isKind && name !== 'User' && legalName(columnOf(field)) === columnOf(field);
}

const idOf = (field: PrismaField, model: PrismaModel) =>
  inColumn(kindOf(field, model), mayHaveColumn(field, model) ? columnOf(field) : undefined);

const madeTexts: Readonly<Record<string, string>> = {
  uuid: 'uuid text',
  cuid: 'cuid',
  ulid: 'ulid',
  nanoid: 'nanoid',
};

/** Whoever signs up has no id to send. */
function kindOf(field: PrismaField, { name }: PrismaModel): Key['kind'] {
  if (field.type !== 'String') return undefined;
  if (attribute(field, 'db.Uuid')) return 'uuid';
  const made = calledBy(attribute(field, 'default')?.values[0]);
  const maker = madeTexts[made ?? ''] ?? (name === 'User' ? 'cuid' : undefined);
  if (maker !== undefined) return maker;
  const [max = longestKey] = numbersOf(attribute(field, 'db.VarChar'));
  return max < longestKey ? { type: 'text', max } : 'text';
}

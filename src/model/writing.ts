import { type App, type Field, type Model, findModel, findToOne } from './app.ts';
import type { Json } from '../types/field-type.ts';

/** Whether clients write the field; they do so with a user's password and role, too. */
export const isSent = ({ source, role }: Field) =>
  role === 'base' || (role !== 'key' && source === 'client');

export const isRequired = ({ nullable, default: initial }: Field) =>
  !nullable && initial === undefined;

export const isLeftNull = ({ nullable, default: initial }: Field) =>
  nullable && initial === undefined;

/** The default of a field; undefined where that is null, or made on write. */
export function findPreset({ default: initial }: Field): Json | undefined {
  return initial?.kind === 'literal' ? initial.value : undefined;
}

/** Keys that a client writes: to rows that a test has to make. */
export function sentKeys(model: Model): readonly Field[] {
  return model.fields.filter(({ role, source }) => role === 'key' && source === 'client');
}

/** The field that holds the id of the user to whom a row belongs. */
export const findOwnerKey = (model: Model) => findToOne(model, model.owner)?.key;

/** Whether the field is the key of an owner whom some may name; the owner never changes. */
export const isAssigned = (model: Model, { name }: Pick<Field, 'name'>) =>
  model.assign !== undefined && name === findOwnerKey(model);

export const assignedKeys = (model: Model): readonly Field[] =>
  model.fields.filter((field) => isAssigned(model, field));

export function findTarget(key: Field, model: Model, app: App): Model | undefined {
  const relation = findToOne(model, key.relation);
  return relation && findModel(relation.target, app);
}

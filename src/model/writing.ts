import { type App, type Field, findModel, findToOne, isPassword, type Model } from './app.ts';
import type { Json } from '../types/field-type.ts';

/** Whether clients write the field; they do so with a user's password and role, too. */
export const isSent = ({ source, role }: Field) => source === 'client' || role === 'base';

/** Whether clients may write it when a row is made: the owner as well, where some may name one. */
export const isAccepted = (field: Field, model: Model) => isSent(field) || isAssigned(field, model);

/** Whether clients may write it again: a password has a way of its own, and an owner never changes. */
export const isChangeable = (field: Field) =>
  isSent(field) && !field.immutable && !isPassword(field);

/** The owner's key, and read-only fields; without a value, these get their default or `null`. */
export const isServerSet = ({ source, role }: Field) =>
  source === 'server' && (role === 'key' || role === 'declared');

/** The id, where clients give it. */
export const isGivenKey = (field: Field) => field.role === 'id' && isSent(field);

export const isRequired = ({ nullable, default: initial }: Field) =>
  !nullable && initial === undefined;

export const isLeftNull = ({ nullable, default: initial }: Field) =>
  nullable && initial === undefined;

/** The default of a field; undefined where that is null, or made on write. */
export function findPreset({ default: initial }: Field): Json | undefined {
  return initial?.kind === 'literal' ? initial.value : undefined;
}

/** What clients write beside keys. */
export const sentValues = ({ fields }: Model): readonly Field[] =>
  fields.filter((field) => field.role !== 'key' && isSent(field));

/** Keys that a client writes: to rows that a test has to make. */
export const sentKeys = ({ fields }: Model): readonly Field[] =>
  fields.filter((field) => field.role === 'key' && isSent(field));

/** The field that holds the id of the user to whom a row belongs. */
export const findOwnerKey = (model: Model) => findToOne(model, model.owner)?.key;

/** Whether the field is the key of an owner whom some may name. */
export const isAssigned = ({ name }: Pick<Field, 'name'>, model: Model) =>
  model.assign !== undefined && name === findOwnerKey(model);

export function findTarget(key: Field, model: Model, app: App): Model | undefined {
  const relation = findToOne(model, key.relation);
  return relation && findModel(relation.target, app);
}

import { type App, type Field, isPassword, type Model } from './app.ts';
import { findField, findToOne, getTarget } from './lookups.ts';
import type { Json } from '../types/field-type.ts';

/** Whether clients write the field, as they do for a user's password and role. */
export const isWritable = ({ source, role }: Field) => source === 'client' || role === 'base';

/** Whether whoever signs up sends it, if its rule admits them. Only an admin gives a role. */
export const isSentAtSignUp = (field: Field) => field.source === 'client' || isPassword(field);

/** Whether clients may write it when they create a row. Includes the owner's key, if some may name an owner. */
export const isCreatable = (field: Field, model: Model) =>
  isWritable(field) || isAssignable(field, model);

/** Whether clients may change it. A password is changed by its own route, and an owner never changes. */
export const isUpdatable = (field: Field) =>
  isWritable(field) && !field.immutable && !isPassword(field);

/** Whether only the server writes it: the owner's key, and read-only fields, which get their default or null. */
export const isServerSet = ({ source, role }: Field) =>
  source === 'server' && (role === 'key' || role === 'declared');

export const isClientId = (field: Field) => field.role === 'id' && isWritable(field);

export const isRequired = ({ nullable, default: initial }: Field) =>
  !nullable && initial === undefined;

export const defaultsToNull = ({ nullable, default: initial }: Field) =>
  nullable && initial === undefined;

/** The default value; undefined if it is null or is computed when a row is written. */
export function findDefaultValue({ default: initial }: Field): Json | undefined {
  return initial?.kind === 'literal' ? initial.value : undefined;
}

/** The value of a field that a client did not send; undefined if it is computed when the row is written. */
export const findUnsentValue = (field: Field): Json | undefined =>
  defaultsToNull(field) ? null : findDefaultValue(field);

export const clientValues = ({ fields }: Model): readonly Field[] =>
  fields.filter((field) => field.role !== 'key' && isWritable(field));

export const clientKeys = ({ fields }: Model): readonly Field[] =>
  fields.filter((field) => field.role === 'key' && isWritable(field));

/** The name of the field with the id of the user who owns a row. */
export const findOwnerKey = (model: Model) => findToOne(model, model.owner)?.key;

export const findOwnerField = (model: Model) => findField(model, findOwnerKey(model));

/** Whether the field is the key of an owner that some roles may name. */
export const isAssignable = ({ name, write }: Pick<Field, 'name' | 'write'>, model: Model) =>
  write !== undefined && name === findOwnerKey(model);

/** Roles that may name another user as the owner of a new row. Undefined if nobody may, not even an admin. */
export const findAssigners = (model: Model): readonly string[] | undefined =>
  findOwnerField(model)?.write?.flatMap((it) => (it.kind === 'role' ? [it.role] : []));

export const getTargetModel = ({ relation = '' }: Field, model: Model, app: App): Model =>
  getTarget(model, relation, app).target;

import { type App, type Field, type Json, type Model, modelOf, toOneOf } from './app.ts';

/** Whether clients write the field; they do so with a user's password and role, too. */
export const isSent = ({ source, role }: Field) =>
  role === 'base' || (role !== 'key' && source === 'client');

export const isRequired = ({ nullable, default: initial }: Field) =>
  !nullable && initial === undefined;

export const isLeftNull = ({ nullable, default: initial }: Field) =>
  nullable && initial === undefined;

/** The default of a field; undefined where that is null, or made on write. */
export function presetOf({ default: initial }: Field): Json | undefined {
  return initial?.kind === 'literal' ? initial.value : undefined;
}

/** Keys that a client writes: to rows that a test has to make. */
export function sentKeys(model: Model): readonly Field[] {
  return model.fields.filter(({ role, source }) => role === 'key' && source === 'client');
}

/** The key of the owner, where some may name one. */
export function assignedKeys(model: Model): readonly Field[] {
  const { assign, fields, owner } = model;
  return assign === undefined
    ? []
    : fields.filter(({ role, relation }) => role === 'key' && relation === owner);
}

/** The model that a key points to. */
export function targetOf(key: Field, model: Model, app: App): Model | undefined {
  const relation = toOneOf(model, key.relation);
  return relation && modelOf(relation.target, app);
}

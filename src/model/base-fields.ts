import { userFields } from '../schema/user.ts';
import type { Enum, Field } from './app.ts';

/** Default values for the properties of a field. */
export function fieldDefaults(model: string, name: string) {
  return {
    id: `field:${model}.${name}`,
    name,
    column: name,
    nullable: false,
    source: 'client',
    unique: false,
    immutable: false,
    hidden: false,
    extensions: {},
  } as const;
}

export const fieldsOfUsers = userFields.map((field): Field => {
  return { ...fieldDefaults('User', field.name), role: 'base', ...field };
});

/** Roles are an enum. The schema cannot declare another one of that name. */
export function roleEnum(roles: readonly string[]): Enum {
  return {
    id: 'enum:Role',
    name: 'Role',
    values: roles.map((value) => ({ id: `value:Role.${value}`, value })),
  };
}

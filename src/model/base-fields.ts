import { email } from '../types/email.ts';
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

/** Fields that authentication needs. The column of the password has its hash. */
export const userFields: readonly Field[] = [
  { ...fieldDefaults('User', 'name'), role: 'base', type: { kind: 'string' }, min: 1, max: 200 },
  {
    ...fieldDefaults('User', 'email'),
    role: 'base',
    type: { kind: 'email' },
    ...(email.lengths && { max: email.lengths.most }),
    unique: true,
  },
  {
    ...fieldDefaults('User', 'password'),
    role: 'base',
    type: { kind: 'string' },
    source: 'server',
    hidden: true,
  },
  {
    ...fieldDefaults('User', 'role'),
    role: 'base',
    type: { kind: 'enum', enum: 'Role' },
    source: 'server',
    default: { kind: 'literal', value: 'user' },
  },
];

/** Roles are an enum. The schema cannot declare another one of that name. */
export function roleEnum(roles: readonly string[]): Enum {
  return {
    id: 'enum:Role',
    name: 'Role',
    values: roles.map((value) => ({ id: `value:Role.${value}`, value })),
  };
}

import { email } from '../types/email.ts';
import type { Enum, Field } from './app.ts';

/** Defaults of every field. */
export function plainField(model: string, name: string) {
  return {
    id: `field:${model}.${name}`,
    name,
    column: name,
    nullable: false,
    source: 'client',
    unique: false,
    index: false,
    immutable: false,
    hidden: false,
    extensions: {},
  } as const;
}

/** The account that authentication relies on; the password's column holds its hash. */
export const userFields: readonly Field[] = [
  { ...plainField('User', 'name'), role: 'base', type: { kind: 'string' }, min: 1, max: 200 },
  {
    ...plainField('User', 'email'),
    role: 'base',
    type: { kind: 'email' },
    ...(email.lengths && { max: email.lengths.most }),
    unique: true,
  },
  {
    ...plainField('User', 'password'),
    role: 'base',
    type: { kind: 'string' },
    source: 'server',
    hidden: true,
  },
  {
    ...plainField('User', 'role'),
    role: 'base',
    type: { kind: 'enum', enum: 'Role' },
    source: 'server',
    default: { kind: 'literal', value: 'user' },
  },
];

/** Roles are an enum like any other; the schema cannot declare one of that name. */
export function roleEnum(roles: readonly string[]): Enum {
  return {
    id: 'enum:Role',
    name: 'Role',
    values: roles.map((value) => ({ id: `value:Role.${value}`, value })),
  };
}

import type { Naming } from '../../schema/language.ts';
import { otherRoles } from '../converted.ts';
import { usualTimes } from '../naming.ts';
import type { Notebook } from '../notes.ts';
import type { PrismaField, PrismaModel, PrismaSchema } from './schema.ts';

/** What every user has here. */
export function builtInNames(naming: Naming): readonly string[] {
  const { created, updated } = usualTimes(naming);
  return ['name', 'email', 'password', 'role', created, updated];
}

export function noteBuiltIn({ name, place, isOptional, type }: PrismaField, notes: Notebook): void {
  if (name === 'role')
    notes.changed(place, 'User.role', 'the built-in role; its values are under `auth`');
  else if (type === 'DateTime') notes.changed(place, `User.${name}`, 'built in, set by the server');
  else if (isOptional && name !== 'name')
    notes.changed(place, `User.${name} ${type}?`, 'built in, and required');
  else notes.exact();
}

export const nameOf = ({ fields }: PrismaModel) => fields.find(({ name }) => name === 'name');

/** What there is besides `user` and `admin`. */
export function rolesOf(
  user: PrismaModel,
  { enums }: PrismaSchema,
  notes: Notebook,
): readonly string[] {
  const role = user.fields.find(({ name }) => name === 'role');
  const values = enums.find(({ name }) => name === role?.type)?.values ?? [];
  if (role !== undefined && values.length === 0)
    notes.left(role.place, `User.role ${role.type}`, 'roles are an enum here');
  return otherRoles(values.map(({ name }) => name));
}

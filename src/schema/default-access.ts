import type { EndpointName, ModelSchema } from './schema.ts';

type Words = Readonly<Record<EndpointName, readonly string[]>>;

/** Who may do what nobody has spoken of: few. */
export function defaultAccess({ name, owner }: ModelSchema): Words {
  if (name.value === 'User') return ofUsers;
  return owner === undefined ? ofAdmins : ofOwners;
}

const ofUsers: Words = {
  list: ['admin'],
  create: ['admin'],
  read: ['self'],
  update: ['self'],
  delete: ['admin'],
};

const ofOwners: Words = {
  list: ['authenticated'],
  create: ['authenticated'],
  read: ['authenticated'],
  update: ['owner'],
  delete: ['owner'],
};

const ofAdmins: Words = {
  list: ['authenticated'],
  create: ['admin'],
  read: ['authenticated'],
  update: ['admin'],
  delete: ['admin'],
};

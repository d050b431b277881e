import type { Located, ModelSchema } from '../schema/schema.ts';
import type { Access, Endpoint } from './app.ts';

export const endpointNames: readonly Endpoint[] = ['list', 'create', 'read', 'update', 'delete'];

/** Who may do what: the file's words, and for the rest the defaults of the schema language. */
export function buildAccess(model: ModelSchema): Access {
  const { list, create, read, update, delete: remove } = model.access;
  const defaults = defaultAccess(model);
  return {
    list: words(list ?? read) ?? defaults.list,
    create: words(create) ?? defaults.create,
    read: words(read) ?? defaults.read,
    update: words(update) ?? defaults.update,
    delete: words(remove) ?? defaults.delete,
  };
}

function defaultAccess(model: ModelSchema): Access {
  if (model.name.value === 'User') return userAccess;
  const change = model.owner === undefined ? 'authenticated' : 'owner';
  return {
    list: ['authenticated'],
    create: ['authenticated'],
    read: ['authenticated'],
    update: [change],
    delete: [change],
  };
}

const userAccess: Access = {
  list: ['admin'],
  create: ['admin'],
  read: ['self'],
  update: ['self'],
  delete: ['admin'],
};

function words(located: readonly Located<string>[] | undefined): readonly string[] | undefined {
  return located?.map((word) => word.value);
}

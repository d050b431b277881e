import type { ModelSchema } from './schema.ts';

/** `User` is always there, also when the file says nothing of it. */
export const plainUser: ModelSchema = {
  name: { value: 'User', at: { line: 1, column: 1, length: 1 } },
  fields: [],
  relations: [],
  unique: [],
  indexes: [],
  access: {},
  extensions: {},
};

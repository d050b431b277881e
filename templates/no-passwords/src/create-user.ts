import type { Connection } from './database/client.ts';
import { system } from './lib/access.ts';
import { problemWith, validationOptions } from './plugins/validation.ts';
import { createUser } from './users/queries.ts';
import { CreateUser } from './users/schema.ts';

/** The options of `create-user` in `cli.ts`. */
export const newUserFields: readonly string[] = Object.keys(CreateUser.properties);

/** Creates a user from values given as text; throws what the API would answer to them. */
export async function createUserByHand(
  texts: Readonly<Record<string, unknown>>,
  { connection }: { readonly connection: Connection },
) {
  const values = Object.fromEntries(
    Object.entries(texts).map(([name, value]) => [name, valueOf(name, value)]),
  );
  check(values);
  return createUser(connection.database, { viewer: system }, values);
}

/** Text fields are taken as they are; numbers and the like are written as in JSON. */
function valueOf(name: string, value: unknown): unknown {
  const property = Object.entries(CreateUser.properties).find(([key]) => key === name)?.[1] ?? {};
  const types = 'type' in property ? [property.type].flat() : [];
  if (types.length > 0 && types.every((type) => type === 'string' || type === 'null')) return value;
  try {
    return JSON.parse(String(value));
  } catch {
    return value;
  }
}

function check(values: unknown): asserts values is CreateUser {
  const { buildValidator } = validationOptions().schemaController.compilersFactory;
  const part = { schema: CreateUser, httpPart: 'body', method: 'POST', url: '/' };
  const validate = buildValidator({})(part);
  if (validate(values) !== true) throw problemWith(validate.errors ?? [], 'body');
}

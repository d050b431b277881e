import type { FastifyInstance } from 'fastify';
import { buildApp } from '../app.ts';
import type { Config } from '../config.ts';
import type { Connection } from '../database/client.ts';
import { system } from '../lib/access.ts';
import { createUser } from '../users/queries.ts';
import { CreateUser } from '../users/schema.ts';

/** What `create-user` of `cli.ts` asks for; the password is asked for on the terminal. */
export const newUserFields: readonly string[] = Object.keys(CreateUser.properties);

export const newUserUsage = newUserFields
  .map((name) => (isNeeded(name) ? `--${name} …` : `[--${name} …]`))
  .join(' ');

/** Throws what the API would answer to the same values, which are given as texts. */
export async function createUserByHand(
  texts: Readonly<Record<string, unknown>>,
  { config, connection }: { readonly config: Config; readonly connection: Connection },
) {
  const values = Object.fromEntries(
    Object.entries(texts).map(([name, value]) => [name, valueOf(name, value)]),
  );
  const app = await buildApp({ config, connection });
  try {
    check(app, values);
    return await createUser(app.database, app.hasher, { viewer: system, values });
  } finally {
    await app.close();
  }
}

function isNeeded(name: string): boolean {
  return CreateUser.required.some((each) => each === name && name !== 'password');
}

/** Numbers and the like are written as in JSON; a text is a text. */
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

function check(app: FastifyInstance, values: unknown): asserts values is CreateUser {
  const schema = { schema: CreateUser, httpPart: 'body', method: 'POST', url: '/' };
  const result = app.validatorCompiler?.(schema)(values);
  if (typeof result === 'object' && 'error' in result) throw result.error;
}

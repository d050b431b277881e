import * as fc from 'fast-check';
import { stringify } from 'yaml';
import { modelDocument } from './model.ts';
import { enumNames, enumValues, labels, madeModelName, modelNames, prose } from './names.ts';
import { maybe, type Document, oneIn, type Pick, shuffled, some } from './pick.ts';
import { userDocument } from './user.ts';
import type { World } from './world.ts';

export interface LegalSchema {
  readonly file: 'schema.yaml' | 'schema.json';
  readonly text: string;
  readonly database: 'sqlite' | 'postgres';
}

/** Any legal schema: all types, forms, relations, access words, ids and overrides, with awkward names. */
export function legalSchema(database?: 'sqlite' | 'postgres'): fc.Arbitrary<LegalSchema> {
  return fc.gen().map((pick) => {
    const engine =
      database ?? pick(fc.constantFrom<('sqlite' | 'postgres')[]>, 'sqlite', 'postgres');
    const isJson = pick(fc.integer, { min: 0, max: 3 }) === 0;
    const document = schemaDocument(pick, engine);
    return isJson
      ? { file: 'schema.json', text: `${JSON.stringify(document, null, 2)}\n`, database: engine }
      : { file: 'schema.yaml', text: stringify(document), database: engine };
  });
}

function schemaDocument(pick: Pick, database: string): Document {
  const world = drawWorld(pick);
  const { enums, roles, home } = world;
  const models = Object.fromEntries(world.models.map((name) => [name, modelDocument(world, name)]));
  const hasUser = home !== undefined || pick(fc.boolean);
  return {
    version: 1,
    app: {
      name: pick(
        fc.constantFrom<string[]>,
        'blog',
        'my-api',
        'x2',
        'a.b-c_d',
        'name-'.repeat(19) + 'end',
      ),
      ...maybe(pick, 'description', prose),
    },
    database,
    ...maybe(
      pick,
      'api',
      prefixes.map((prefix) => ({ prefix })),
    ),
    ...authDocument(pick, roles),
    ...maybe(pick, 'storage', [
      { on_update: 'cascade' },
      { on_update: 'restrict' },
      { times: 'timestamp' },
      { times: 'timestamptz(6)' },
      { texts: 'default', indexes: 'bare' },
      { enums: 'type', keys: 'int' },
    ]),
    ...(Object.keys(enums).length > 0 && {
      enums: mapValues(enums, (values) => enumDocument(pick, values)),
    }),
    models: hasUser ? { User: userDocument(world), ...models } : models,
    ...(oneIn(pick, 4) && { 'x-label': pick(fc.constantFrom, ...labels) }),
  };
}

function authDocument(pick: Pick, roles: readonly string[]): Document {
  const auth = { ...(roles.length > 0 && { roles }), ...(oneIn(pick, 4) && { name: 'optional' }) };
  return Object.keys(auth).length > 0 ? { auth } : {};
}

const prefixes = ['/api', '/v1', '/public/v2/', '/', '/A-b.c~d'];

function drawWorld(pick: Pick): World {
  const made = [madeModelName(pick)];
  const names = new Set([...modelNames, ...made]);
  const models = shuffled(pick, [...names], { least: 1, most: 5 });
  const ends = ['User', ...models];
  const [left = '', right = ''] = [
    pick(fc.constantFrom, ...models),
    pick(fc.constantFrom, ...ends),
  ];
  const join = oneIn(pick, 4) ? { model: 'Membership', left, right } : undefined;
  return {
    pick,
    enums: Object.fromEntries(
      some(pick, enumNames).map((name) => [name, some(pick, enumValues, { least: 1 })]),
    ),
    roles: some(pick, roles),
    models: join === undefined ? models : [...models, join.model],
    home: oneIn(pick, 4) ? models[0] : undefined,
    join,
    taken: new Map(),
    open: new Set(),
  };
}

const roles = ['editor', 'moderator', 'support_agent', 'constructor', 'everyone', 'R2'];

/** A list of values, some with more to say, or a map of value to what it means. */
function enumDocument(pick: Pick, values: readonly string[]): unknown {
  const form = pick(fc.constantFrom<string[]>, 'plain', 'listed', 'described');
  if (form === 'plain') return values;
  const described = values.map((value, at) => ({
    value,
    ...maybe(pick, 'description', prose),
    ...(oneIn(pick, 6) && { was: `former ${at}` }),
  }));
  if (form === 'listed') return described.map((it) => (pick(fc.boolean) ? it : it.value));
  return Object.fromEntries(
    described.map(({ value, ...more }) => {
      const forms = [null, prose[0], Object.keys(more).length > 0 ? more : null];
      return [value, pick(fc.constantFrom<unknown[]>, ...forms)];
    }),
  );
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

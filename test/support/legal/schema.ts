import * as fc from 'fast-check';
import { stringify } from 'yaml';
import { fieldsDocument } from './fields.ts';
import { accessDocument, modelDocument } from './model.ts';
import { enumNames, enumValues, modelNames, prose } from './names.ts';
import { maybe, type Document, type Pick, shuffled, some } from './pick.ts';
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
  const enums = Object.fromEntries(
    some(pick, enumNames).map((name) => [name, some(pick, enumValues, { least: 1 })]),
  );
  const world: World = {
    pick,
    enums,
    roles: some(pick, ['editor', 'moderator', 'support_agent']),
    models: shuffled(pick, modelNames, { least: 1, most: 5 }),
    taken: new Map(),
  };
  const models = Object.fromEntries(world.models.map((name) => [name, modelDocument(world, name)]));
  return {
    version: 1,
    app: {
      name: pick(fc.constantFrom<string[]>, 'blog', 'my-api', 'x2'),
      ...maybe(pick, 'description', prose),
    },
    database,
    ...maybe(pick, 'api', [{ prefix: '/api' }, { prefix: '/v1' }, { prefix: '/public/v2' }]),
    ...(world.roles.length > 0 && { auth: { roles: world.roles } }),
    ...(Object.keys(enums).length > 0 && { enums: pick(fc.boolean) ? enums : described(enums) }),
    models: pick(fc.boolean) ? { User: userDocument(world), ...models } : models,
  };
}

/** The other form of an enum: its values with what they mean. */
function described(enums: World['enums']): Document {
  return Object.fromEntries(
    Object.entries(enums).map(([name, values]) => [
      name,
      Object.fromEntries(values.map((value, at) => [value, prose[at % 3]])),
    ]),
  );
}

/** What a schema may add to the base user. */
function userDocument(world: World): Document {
  const { pick, taken, roles } = world;
  const { document } = fieldsDocument(world, new Set(['name', ...(taken.get('User') ?? [])]));
  return {
    ...maybe(pick, 'table', ['accounts', 'members']),
    fields: document,
    ...(pick(fc.boolean) && {
      access: accessDocument(world, ['self', 'authenticated', 'admin', ...roles]),
    }),
  };
}

import { nameCases } from '../../naming/name.ts';
import { engines } from '../../types/field-type.ts';
import { type Keys, mapShape, type ReadMap, readMap, type KeyValues } from '../key.ts';
import { asChoice, asProse, asText, namedMap } from '../kinds.ts';
import { defaults, type Located } from '../language.ts';
import { isText, type Reader } from '../shape.ts';
import type { SchemaNode } from '../source.ts';
import { type EnumSchema, shapeEnum } from './enum.ts';
import { type ModelSchema, shapeModel } from './model.ts';
import { storageKeys, readStorage } from './storage.ts';
import { authKeys, readAuth } from './auth.ts';
import { reportKind, type Scope } from '../scope.ts';

const appKeys = {
  name: {
    about: 'The npm package name: `blog-api`.',
    ...asText({ pattern: '^[a-z0-9]+([-._][a-z0-9]+)*$', maxLength: 100 }),
    required: 'add `name: my-api`',
  },
  description: {
    about: 'One or two sentences; reaches the README and the OpenAPI document.',
    ...asProse,
  },
} as const satisfies Keys;

/** Without a name, it has an empty one, so that the rest is still checked. */
const readApp: Reader<KeyValues<typeof appKeys> & { readonly name: Located<string> }> = (
  node,
  scope,
) => {
  const name = { value: '', at: node?.at ?? { line: 1, column: 1, length: 1 } };
  return { name, ...mapAround('name', node, appKeys, scope) };
};

/** Reads a map; for a bare value, the message shows the map to write around it. */
function mapAround<const Table extends Keys>(
  key: keyof Table & string,
  node: SchemaNode | undefined,
  table: Table,
  scope: Scope,
): ReadMap<Table> | undefined {
  if (node === undefined) return undefined;
  if (!isText(node)) return readMap(node, table, scope);
  const help = `write \`${scope.path}: { ${key}: ${node.value} }\``;
  reportKind(node, `a map with a \`${key}\``, scope, help);
  return undefined;
}

const apiKeys = {
  prefix: {
    about: 'Path before every list of rows: `/api`; `/` for none.',
    ...asText({ pattern: '^/', default: defaults.apiPrefix }),
  },
} as const satisfies Keys;

const readApi: Reader<KeyValues<typeof apiKeys> | undefined> = (node, scope) =>
  mapAround('prefix', node, apiKeys, scope);

export const namingKeys = {
  api: {
    about: 'The names in JSON, addresses and TypeScript.',
    ...asChoice(nameCases, 'snake'),
  },
  columns: {
    about: 'The names of columns, including those of declared fields where it differs from `api`.',
    ...asChoice(nameCases),
    absent: 'as `api`',
  },
} as const satisfies Keys;

/** A case for all names, or a map. */
const readNaming: Reader<KeyValues<typeof namingKeys> | undefined> = (node, scope) => {
  if (node?.kind === 'map') return readMap(node, namingKeys, scope);
  const api = namingKeys.api.read(node, scope);
  return api && { api };
};

function checkVersion(node: SchemaNode | undefined, scope: Scope): void {
  if (node === undefined || (node.kind === 'scalar' && node.value === 1)) return;
  const message = 'this version of the schema language is not known';
  const help = 'write `version: 1`';
  scope.report({ code: 'SCF119', at: node.at, message, help });
}

export const topKeys = {
  version: {
    about: 'Version of this language: `1`.',
    shape: { const: 1 },
    read: checkVersion,
    required: 'start the file with `version: 1`',
  },
  app: {
    about:
      'What the server is called: `name`, the npm package name (lowercase letters, digits, `-`; `scaffold new` takes that of the folder where there is none), and `description`.',
    shape: mapShape(appKeys),
    read: readApp,
    required: 'add `app: { name: my-api }`',
  },
  database: { about: '`sqlite` or `postgres`.', ...asChoice(engines, 'sqlite') },
  api: {
    about:
      'The HTTP interface: `prefix` is the path before the lists, like `/api/v1`, or `/` for none.',
    shape: mapShape(apiKeys),
    read: readApi,
    absent: '`/api`',
  },
  naming: {
    about:
      '[How names are written](#case) that the schema does not give: `snake`, as in `author_id`, or `camel`, as in `authorId`.',
    shape: { anyOf: [{ enum: nameCases }, mapShape(namingKeys)], default: 'snake' },
    read: readNaming,
  },
  storage: {
    about:
      '[What a database is made of](#storage) that another program has made; `import` writes it.',
    shape: mapShape(storageKeys),
    read: readStorage,
    absent: 'as here',
  },
  auth: {
    about:
      'Who there is, and how they sign in: `roles` besides `user` and `admin`, which always exist; [`password: false`](#users-who-sign-in-elsewhere) for users who sign in elsewhere; [`none`](#without-accounts) where there are no users.',
    shape: { anyOf: [{ const: 'none' }, mapShape(authKeys)] },
    read: readAuth,
    absent: 'users with passwords',
  },
  enums: {
    about: '[Sets of values](#enums) that a field may take.',
    ...namedMap('enum'),
    absent: 'none',
  },
  models: {
    about: '[One entry](#models) for each kind of row; `User` is always there.',
    ...namedMap('model'),
    absent: 'none',
  },
} as const satisfies Keys;

/** A schema file after reading. Every name and value keeps its place. */
export interface Schema extends Omit<ReadMap<typeof topKeys>, 'enums' | 'models'> {
  readonly enums: readonly EnumSchema[];
  readonly models: readonly ModelSchema[];
}

/** The whole file, short forms expanded. */
export function shapeSchema(root: SchemaNode, scope: Scope): Schema {
  const map = readMap(root, topKeys, scope);
  return {
    ...map,
    enums: map.enums.map((entry) => shapeEnum(entry, scope)),
    models: map.models.map((entry) => shapeModel(entry, scope)),
  };
}

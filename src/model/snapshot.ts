import { z } from 'zod';
import { exitCode, UserError } from '../errors.ts';
import { byEndpoint, endpointNames } from '../schema/schema.ts';
import { engines, plainKinds, sortKeys } from '../types/field-type.ts';
import { entryOf } from './access.ts';
import type { App, Json } from './app.ts';

const version = 1;

/** The app as `.scaffold/schema.json` keeps it: all of it, the keys of every object in order. */
export function snapshotApp(app: App): Json {
  return sortKeys({ version, app });
}

/** The app that a snapshot was made of; throws a `UserError` when the text was not written by `snapshotApp`. */
export function appFromSnapshot(json: unknown): App {
  const result = snapshotShape.safeParse(json);
  if (result.success) return result.data.app;
  const [issue] = result.error.issues;
  const place = issue?.path.join('.') || 'the top';
  throw new UserError('SCF501', `\`.scaffold/schema.json\` is damaged at ${place}.`, {
    exit: exitCode.environment,
    help: 'Take the file back from version control: `git checkout -- .scaffold/schema.json`.',
  });
}

const text = z.string();
const flag = z.boolean();
const json = z.json();
const extensions = z.record(text, json);
const idType = z.enum(['int', 'uuid']);
const endpoint = z.enum(endpointNames);

/** Earlier versions kept the word alone. */
const entry = z.union([
  text.transform(entryOf),
  z.strictObject({ kind: z.enum(['public', 'authenticated', 'owner', 'self']) }),
  z.strictObject({ kind: z.literal('role'), role: text }),
]);
const rule = z.array(entry);

const enumeration = z.strictObject({
  id: text,
  name: text,
  values: z.array(
    z.strictObject({
      id: text,
      value: text,
      description: text.exactOptional(),
      was: text.exactOptional(),
    }),
  ),
});

const fieldType = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(plainKinds) }),
  z.strictObject({ kind: z.literal('decimal'), precision: z.int(), scale: z.int() }),
  z.strictObject({ kind: z.literal('enum'), enum: text }),
]);

const fallback = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('literal'), value: json }),
  z.strictObject({ kind: z.enum(['now', 'uuid']) }),
]);

const bound = z.union([z.number(), text]);

const field = z.strictObject({
  id: text,
  name: text,
  column: text,
  type: fieldType,
  nullable: flag,
  source: z.enum(['client', 'server']),
  role: z.enum(['id', 'declared', 'base', 'key', 'created_at', 'updated_at', 'deleted_at']),
  relation: text.exactOptional(),
  default: fallback.exactOptional(),
  min: bound.exactOptional(),
  max: bound.exactOptional(),
  pattern: text.exactOptional(),
  unique: flag,
  index: flag,
  immutable: flag,
  hidden: flag,
  read: rule.exactOptional(),
  write: rule.exactOptional(),
  description: text.exactOptional(),
  example: json.exactOptional(),
  backfill: json.exactOptional(),
  was: text.exactOptional(),
  extensions,
});

const relationBase = { id: text, name: text, target: text };
const declared = {
  inverse: text.exactOptional(),
  was: text.exactOptional(),
  description: text.exactOptional(),
};

const relation = z.discriminatedUnion('kind', [
  z.strictObject({
    ...relationBase,
    ...declared,
    kind: z.literal('one'),
    key: text,
    optional: flag,
    unique: flag,
    onDelete: z.enum(['restrict', 'cascade', 'set_null']),
  }),
  z.strictObject({ ...relationBase, kind: z.literal('inverse'), of: text, single: flag }),
  z.strictObject({
    ...relationBase,
    ...declared,
    kind: z.literal('links'),
    table: text,
    column: text,
    targetColumn: text,
    through: text.exactOptional(),
    idsField: text.exactOptional(),
    read: rule.exactOptional(),
    write: rule.exactOptional(),
  }),
]);

const orderKeys = z.array(z.strictObject({ field: text, descending: flag }));

const names = z.strictObject({
  type: text,
  typePlural: text,
  variable: text,
  variablePlural: text,
  folder: text,
  human: text,
  humanPlural: text,
  snake: text,
  snakePlural: text,
});

const model = z.strictObject({
  id: text,
  names,
  table: text,
  path: text,
  description: text.exactOptional(),
  was: text.exactOptional(),
  idType,
  timestamps: flag,
  softDelete: flag,
  owner: text.exactOptional(),
  assign: z.array(text).exactOptional(),
  endpoints: z.array(endpoint),
  fields: z.array(field),
  relations: z.array(relation),
  unique: z.array(z.strictObject({ name: text, fields: z.array(text) })),
  indexes: z.array(z.strictObject({ name: text, keys: orderKeys })),
  orderBy: orderKeys,
  // An endpoint that a newer version has: nobody but admins has used it yet.
  access: z.partialRecord(endpoint, rule).transform((it) => byEndpoint((name) => it[name] ?? [])),
  embed: z.array(text).default([]),
  extensions,
});

const side = z.strictObject({ column: text, model: text });

/** The file as `appFromSnapshot` accepts it: the types of `app.ts`, checked. */
const snapshotShape = z.strictObject({
  version: z.literal(1),
  app: z.strictObject({
    name: text,
    title: text,
    description: text,
    database: z.enum(engines),
    formerDatabase: z.enum(engines).exactOptional(),
    apiPrefix: text,
    roles: z.array(text),
    enums: z.array(enumeration),
    models: z.array(model),
    joinTables: z.array(
      z.strictObject({ id: text, table: text, left: side, right: side, index: text }),
    ),
    extensions,
    layout: z.int().positive().default(1),
  }),
});

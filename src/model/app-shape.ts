import { z } from 'zod';
import { takenTypes } from '../naming/name.ts';
import { byOperation, endpointNames, operations } from '../schema/language.ts';
import { engines } from '../types/field-type.ts';
import { orderOperators } from '../schema/check.ts';
import { conditionShape, entryFromText, ruleShape } from './rule.ts';
import {
  textShape,
  optionalText,
  flagShape,
  jsonShape,
  extensionsShape,
  fieldShape,
} from './field-shape.ts';
import { packageManagers } from './package-managers.ts';

/** For keys that earlier versions recorded although they follow from the rest. */
export function withoutKeys<Shape extends z.ZodType>(keys: readonly string[], shape: Shape) {
  const leaveOut = (json: unknown) =>
    typeof json === 'object' && json !== null && !Array.isArray(json)
      ? Object.fromEntries(Object.entries(json).filter(([key]) => !keys.includes(key)))
      : json;
  return z.preprocess(leaveOut, shape);
}

const endpoint = z.enum(endpointNames);

const enumerationShape = z.strictObject({
  id: textShape,
  name: textShape,
  /** The name of its type on PostgreSQL, if another program made one. */
  type: optionalText,
  values: z.array(
    z.strictObject({
      id: textShape,
      value: textShape,
      description: optionalText,
      was: optionalText,
    }),
  ),
});

const anyRelation = { id: textShape, name: textShape, target: textShape };

const declaredRelation = {
  ...anyRelation,
  inverse: optionalText,
  was: optionalText,
  description: optionalText,
};

/** A relation whose key is a column of this model. The field of the key says whether it is optional and one-to-one. */
const toOneShape = z.strictObject({
  ...declaredRelation,
  kind: z.literal('one'),
  /** The name of the field with the key: `author_id`. */
  key: textShape,
  onDelete: z.enum(['restrict', 'cascade', 'set_null']),
  /** Only for keys that another program created. The default is `restrict`. */
  onUpdate: z.literal('cascade').exactOptional(),
  /** The target must be a member of the row at the end of `path`, or lead to that row by `own`. */
  among: z
    .strictObject({
      path: z.array(textShape),
      members: z.strictObject({ word: textShape, roles: z.array(textShape) }).exactOptional(),
      own: optionalText,
    })
    .exactOptional(),
});

/** The inverse of a to-one relation that names it with `inverse`. */
const inverseShape = z.strictObject({
  ...anyRelation,
  kind: z.literal('inverse'),
  /** The name of the to-one relation on `target`. */
  of: textShape,
});

/** A many-to-many relation, through a join table or through a model. */
const linksShape = z.strictObject({
  ...declaredRelation,
  kind: z.literal('links'),
  /** The join table, its column for this model and its column for the target. */
  table: textShape,
  column: textShape,
  targetColumn: textShape,
  /** The model of `through`. Its own endpoints write the rows, so `idsField` is read-only. */
  through: optionalText,
  /** `tag_ids` in the API; absent on the inverse side, which only has filters and embedding. */
  idsField: optionalText,
  read: ruleShape.exactOptional(),
  write: ruleShape.exactOptional(),
});

const orderKeys = z.array(z.strictObject({ field: textShape, descending: flagShape }));

/** A kind of members of a model's rows: users that rows of another model name. */
const membersShape = z.strictObject({
  /** The word for them in rules. */
  word: textShape,
  /** The model whose rows make members. */
  by: textShape,
  /** Fields of `by`: the key of the row, the key of the user (absent if members come by a link), the role. */
  of: textShape,
  user: optionalText,
  role: optionalText,
  /** In ascending order; empty without a role. */
  roles: z.array(textShape),
  if: conditionShape,
  /** Values of the row that makes the creator the first member. */
  first: z.record(textShape, jsonShape).exactOptional(),
});

const modelShape = z.strictObject({
  /** An id that is kept over renames. It is in `.scaffold/schema.json`. */
  id: textShape,
  /** Its name in the schema and in rules: `Page`, of the type `PageRecord`. */
  name: optionalText,
  names: z.strictObject({
    type: textShape,
    typePlural: textShape,
    variable: textShape,
    variablePlural: textShape,
    folder: textShape,
    human: textShape,
    humanPlural: textShape,
    snake: textShape,
    snakePlural: textShape,
  }),
  table: textShape,
  /** The segment of its URL after the API prefix, without slashes. */
  path: textShape,
  description: optionalText,
  was: optionalText,
  /** The name of the relation to `User` that owns a row. */
  owner: optionalText,
  endpoints: z.array(endpoint),
  /**
   * Every column in the order of the API: `id`, declared fields, keys of to-one relations, times of the server. `User`
   * has its base fields before the declared ones.
   */
  fields: z.array(withoutKeys(['index'], fieldShape)),
  relations: z.array(
    withoutKeys(
      ['optional', 'unique', 'single'],
      z.discriminatedUnion('kind', [toOneShape, inverseShape, linksShape]),
    ),
  ),
  /** Names are at most 63 bytes: `posts_author_id_slug_unique`. */
  unique: z.array(
    z.strictObject({ name: textShape, fields: z.array(textShape), where: conditionShape }),
  ),
  /** `posts_status_published_at_index`, at most 63 bytes. Each ends with the id, as each order of a list does. */
  indexes: z.array(z.strictObject({ name: textShape, keys: orderKeys, where: conditionShape })),
  /** `trips_ends_on_gte_starts_on_check`. A check holds if one of its fields is null. */
  checks: z
    .array(
      z.strictObject({
        name: textShape,
        left: textShape,
        operator: z.enum(orderOperators),
        right: textShape,
      }),
    )
    .default([]),
  /** The default order, without the id that the server adds. */
  orderBy: orderKeys,
  // Earlier versions had fewer operations. The others were for admins, and keys were for readers.
  access: z
    .partialRecord(z.enum(operations), ruleShape)
    .transform(({ read, refer = read, restore = [entryFromText('admin')], ...it }) => {
      const known = { ...it, read, refer, restore };
      return byOperation((name) => known[name] ?? []);
    }),
  members: z.array(withoutKeys(['isRanked'], membersShape)).exactOptional(),
  /** The field with the hash of the secret, and the condition on rows whose link counts. */
  link: z.strictObject({ secret: textShape, if: conditionShape }).exactOptional(),
  /** Fields that are embedded with a key, for those who may read the row of the key. */
  embed: z.array(textShape).default([]),
  extensions: extensionsShape,
});

/** Earlier versions did not record the name. */
function shortenTypeName({ id, names: { type } }: z.infer<typeof modelShape>): string {
  const shorter = type.replace(/Record$/, '');
  return takenTypes.has(shorter) && id !== `model:${type}` ? shorter : type;
}

const side = z.strictObject({ column: textShape, model: textShape });

/** `left` and `right` form the primary key, and both cascade. `index`: the name of the index on the right column. */
const joinTableShape = z.strictObject({
  id: textShape,
  table: textShape,
  left: side,
  right: side,
  index: textShape,
});

export const appShape = z.strictObject({
  /** The name of `app.name`, a valid npm package name. */
  name: textShape,
  description: textShape,
  database: z.enum(engines),
  /** The engine before the project moved to another one. Not in the schema. */
  formerDatabase: z.enum(engines).exactOptional(),
  /** The package manager, if it is not npm. Not in the schema. */
  packageManager: z.enum(packageManagers).exactOptional(),
  /** Starts with a slash and does not end with one; empty for the root. */
  apiPrefix: textShape,
  /** `Role` (if there are accounts: `user`, `admin` and the declared ones) and the others in the order of the file. */
  enums: z.array(enumerationShape),
  /** `User` (if there are accounts) and the others in the order of the file. */
  models: z.array(
    withoutKeys(
      ['idType', 'timestamps', 'softDelete', 'assign'],
      modelShape.transform((it) => ({ name: shortenTypeName(it), ...it })),
    ),
  ),
  /** Of many-to-many relations without `through`, in the order of the file. */
  joinTables: z.array(joinTableShape),
  extensions: extensionsShape,
  /** The version of the tables that the server keeps for itself. */
  layout: z.int().positive().default(1),
});

export type AppShape = z.infer<typeof appShape>;

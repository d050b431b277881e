import { z } from 'zod';
import { takenTypes } from '../naming/name.ts';
import { byOperation, endpointNames, operations } from '../schema/language.ts';
import { keyKinds } from '../types/keys.ts';
import { engines } from '../types/field-type.ts';
import { orders } from '../schema/check.ts';
import { condition, entryOf, rule } from './rule.ts';
import { textShape, optionalText, flag, jsonShape, extensions, fieldShape } from './field-shape.ts';
import { packageManagers } from './package-managers.ts';

const endpoint = z.enum(endpointNames);

const enumeration = z.strictObject({
  id: textShape,
  name: textShape,
  /** The name of its type, where another program has made one on PostgreSQL. */
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

/** The key is a column of this model. */
const toOne = z.strictObject({
  ...declaredRelation,
  kind: z.literal('one'),
  /** Field (and, unless overridden, column) that holds the key: `author_id`. */
  key: textShape,
  optional: flag,
  /** One-to-one. */
  unique: flag,
  onDelete: z.enum(['restrict', 'cascade', 'set_null']),
  /** Set only for keys that another program created; by default they restrict. */
  onUpdate: z.literal('cascade').exactOptional(),
  /**
   * The row at the end of the path has the target among its members, or is the one to which `own` of the target leads.
   */
  among: z
    .strictObject({
      path: z.array(textShape),
      members: z.strictObject({ word: textShape, roles: z.array(textShape) }).exactOptional(),
      own: optionalText,
    })
    .exactOptional(),
});

/** The other side of a to-one, present when its `inverse` names it. */
const inverse = z.strictObject({
  ...anyRelation,
  kind: z.literal('inverse'),
  /** Name of the to-one on `target`. */
  of: textShape,
  /** One-to-one. */
  single: flag,
});

/** Many-to-many, through a join table or a model of its own. */
const links = z.strictObject({
  ...declaredRelation,
  kind: z.literal('links'),
  /** Table that joins, its column to this model and its column to the target. */
  table: textShape,
  column: textShape,
  targetColumn: textShape,
  /** Model named by `through`; its rows are written by its own endpoints, so `idsField` is read-only then. */
  through: optionalText,
  /** `tag_ids` on the wire; absent on the inverse side, which is read through filters and embedding only. */
  idsField: optionalText,
  read: rule.exactOptional(),
  write: rule.exactOptional(),
});

const orderKeys = z.array(z.strictObject({ field: textShape, descending: flag }));

/** People around a row of a model, whom rows of another one name. */
const membersShape = z.strictObject({
  /** The word by which rules name them. */
  word: textShape,
  /** The model whose rows name them. */
  by: textShape,
  /** Fields of `by`: the key to the row, the key to the user where there is one, and the role. */
  of: textShape,
  user: optionalText,
  role: optionalText,
  /** From the lowest up; none without a role. */
  roles: z.array(textShape),
  /** Whether people can give or take only roles up to their own. */
  isRanked: flag,
  /** Only rows that meet it make members. */
  if: condition,
  /** Values of the row that makes the creator the first member. */
  first: z.record(textShape, jsonShape).exactOptional(),
});

const modelShape = z.strictObject({
  /** Stable identity, kept over renames: written to `.scaffold/schema.json`. */
  id: textShape,
  /** As the schema calls it, and as rules name it: `Page`, of the type `PageRecord`. */
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
  /** URL segment below the API prefix, without slashes. */
  path: textShape,
  description: optionalText,
  was: optionalText,
  idType: z.enum(keyKinds),
  /** Whether a time is kept of each change. */
  timestamps: flag,
  softDelete: flag,
  /** Name of the to-one relation to `User` that owns a row. */
  owner: optionalText,
  /** Roles that may name another user as the owner of a new row, as admins then may; absent if nobody may. */
  assign: z.array(textShape).exactOptional(),
  endpoints: z.array(endpoint),
  /**
   * Every column in wire order: `id`, the declared fields, the key columns of the to-one relations, and the times that
   * the server keeps. On `User`, the base fields come before the declared ones.
   */
  fields: z.array(fieldShape),
  relations: z.array(z.discriminatedUnion('kind', [toOne, inverse, links])),
  /** `posts_author_id_slug_unique`, at most 63 bytes. */
  unique: z.array(
    z.strictObject({ name: textShape, fields: z.array(textShape), where: condition }),
  ),
  /** `posts_status_published_at_index`, at most 63 bytes. The id comes last, as it does in every order of a list. */
  indexes: z.array(z.strictObject({ name: textShape, keys: orderKeys, where: condition })),
  /** `trips_ends_on_gte_starts_on_check`: holds where both fields have a value. */
  checks: z
    .array(
      z.strictObject({
        name: textShape,
        left: textShape,
        operator: z.enum(orders),
        right: textShape,
      }),
    )
    .default([]),
  /** Default order; the primary key is appended by the server, not here. */
  orderBy: orderKeys,
  // Earlier versions had fewer operations: the others were for admins, and keys were for readers.
  access: z
    .partialRecord(z.enum(operations), rule)
    .transform(({ read, refer = read, restore = [entryOf('admin')], ...it }) => {
      const known = { ...it, read, refer, restore };
      return byOperation((name) => known[name] ?? []);
    }),
  members: z.array(membersShape).exactOptional(),
  /** The field that holds the hash of the secret, and which links count. */
  link: z.strictObject({ secret: textShape, if: condition }).exactOptional(),
  /** Fields of a row that are shown to those who may see a row that refers to it. */
  embed: z.array(textShape).default([]),
  extensions,
});

/** Earlier versions did not write it down: it was the type, but for those that had to get another one. */
function nameOfType({ id, names: { type } }: z.infer<typeof modelShape>): string {
  const shorter = type.replace(/Record$/, '');
  return takenTypes.has(shorter) && id !== `model:${type}` ? shorter : type;
}

const side = z.strictObject({ column: textShape, model: textShape });

/** `left` and `right` form the primary key; both cascade. `index`: name of that on the right column. */
const joinTable = z.strictObject({
  id: textShape,
  table: textShape,
  left: side,
  right: side,
  index: textShape,
});

export const appShape = z.strictObject({
  /** As written in `app.name`: a legal npm package name. */
  name: textShape,
  /** For headings: `blog-api` → `Blog api`. */
  title: textShape,
  description: textShape,
  database: z.enum(engines),
  /** The engine before a move to the present one, which the schema does not contain. */
  formerDatabase: z.enum(engines).exactOptional(),
  /** The package manager of the project if it is not npm; not in the schema either. */
  packageManager: z.enum(packageManagers).exactOptional(),
  /** Leading slash, no trailing slash; empty for the root. */
  apiPrefix: textShape,
  /** `user` and `admin` first, then the declared ones in file order; none where there are no accounts. */
  roles: z.array(textShape),
  enums: z.array(enumeration),
  /** `User` first, where there are accounts, then file order. */
  models: z.array(modelShape.transform((it) => ({ name: nameOfType(it), ...it }))),
  /** Join tables of the many-to-many relations without `through`, in file order. */
  joinTables: z.array(joinTable),
  extensions,
  /** Version of the tables that the server keeps for itself. */
  layout: z.int().positive().default(1),
});

export type AppShape = z.infer<typeof appShape>;

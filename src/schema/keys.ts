import { nameCases } from '../naming/name.ts';
import { engines, type Json } from '../types/field-type.ts';
import { keyKinds, longestKey } from '../types/keys.ts';
import {
  flag,
  type Keys,
  type Shape,
  list,
  map,
  mapOf,
  named,
  namePattern,
  oneOrMore,
  reference,
  text,
  description,
} from './key.ts';
import { endpointNames, operations, presences } from './schema.ts';

/** What every address can hold as it is. */
export const prefixPattern = '^[A-Za-z0-9_-]+$';
export const longestPrefix = 20;

export const appKeys = {
  name: {
    about: 'The npm package name: `blog-api`.',
    shape: { ...text, pattern: '^[a-z0-9]+([-._][a-z0-9]+)*$', maxLength: 100 },
    required: true,
  },
  description: {
    about: 'One or two sentences; reaches the README and the OpenAPI document.',
    shape: text,
  },
} as const satisfies Keys;

export const apiKeys = {
  prefix: {
    about: 'Path before every list of rows: `/api`; `/` for none.',
    shape: { ...text, pattern: '^/', default: '/api' },
  },
} as const satisfies Keys;

export const namingKeys = {
  api: {
    about: 'The names in JSON, addresses and TypeScript.',
    shape: { enum: nameCases, default: 'snake' },
  },
  columns: {
    about: 'The names of columns: of fields that are declared, too, where it differs from `api`.',
    shape: { enum: nameCases },
    absent: 'as `api`',
  },
} as const satisfies Keys;

export const timestampKeys = {
  created: { about: 'What the time is called at which a row was made.', shape: text },
  updated: { about: 'What the time of the last change is called.', shape: text },
} as const satisfies Keys;

export const authKeys = {
  roles: {
    about: 'Roles besides `user` and `admin`, which always exist.',
    shape: {
      type: 'array',
      uniqueItems: true,
      items: { ...text, pattern: namePattern, not: { enum: ['user', 'admin'] } },
    },
  },
  name: {
    about: '`optional`: a user [may be without a name](#user).',
    shape: { enum: presences, default: 'required' },
  },
  password: {
    about: '`false`: users have no password here, they sign in elsewhere.',
    shape: { ...flag, default: true },
  },
} as const satisfies Keys;

export const topKeys = {
  version: { about: 'Version of this language: `1`.', shape: { const: 1 }, required: true },
  app: {
    about:
      'What the server is called: `name`, the npm package name (lowercase letters, digits, `-`; `scaffold new` takes that of the folder where there is none), and `description`.',
    shape: mapOf(appKeys),
    required: true,
  },
  database: {
    about: '`sqlite` or `postgres`.',
    shape: { enum: engines, default: 'sqlite' },
  },
  api: {
    about:
      'The HTTP interface: `prefix` is the path before the lists, like `/api/v1`, or `/` for none.',
    shape: mapOf(apiKeys),
    absent: '`/api`',
  },
  naming: {
    about:
      '[How names are written](#case) that the schema does not give: `snake`, as in `author_id`, or `camel`, as in `authorId`.',
    shape: { anyOf: [{ enum: nameCases }, mapOf(namingKeys)], default: 'snake' },
  },
  auth: {
    about:
      'Who there is, and how they sign in: `roles` besides `user` and `admin`, which always exist; [`password: false`](#users-who-sign-in-elsewhere) for users who sign in elsewhere.',
    shape: mapOf(authKeys),
    absent: 'none',
  },
  enums: {
    about: '[Sets of values](#enums) that a field may take.',
    shape: named('enum'),
    absent: 'none',
  },
  models: {
    about: '[One entry](#models) for each kind of row; `User` is always there.',
    shape: named('model'),
    absent: 'none',
  },
} as const satisfies Keys;

export const valueKeys = {
  description: { about: 'What the value means.', shape: text },
  was: { about: 'Former value: a rename.', shape: text },
} as const satisfies Keys;

/** Of a value in a list, which a map has as its key. */
export const listedValueKeys = {
  value: {
    about: 'The value, as stored and sent.',
    shape: { ...text, minLength: 1 },
    required: true,
  },
  ...valueKeys,
} as const satisfies Keys;

export const ownerKeys = {
  relation: {
    about: 'A to-one relation to `User`, set from the token on create.',
    shape: text,
    required: true,
  },
  assign: {
    about: 'Roles that may name another user as the owner of a new row.',
    shape: oneOrMore,
  },
} as const satisfies Keys;

export const membersKeys = {
  by: {
    about: 'The model whose rows name a user and the row that they are a member of.',
    shape: ({ models }) => ({ anyOf: [{ enum: models }, { ...text, pattern: '^[A-Z]' }] }),
    required: true,
  },
  if: { about: 'Which of those rows count: `accepted = true`.', shape: text, absent: 'all' },
  first: {
    about:
      'The role of whoever makes a row, the highest one; `true` where members have no roles. The last one stays.',
    shape: { anyOf: [text, { const: true }] },
  },
} as const satisfies Keys;

export const groupKeys = {
  fields: { about: 'The fields and relations.', shape: list(text), required: true },
  where: {
    about: 'Of which rows it holds: `status = active and closed_at is null`.',
    shape: text,
    absent: 'all',
  },
} as const satisfies Keys;

/** Lists of names, or in the long form. */
function groupsOf(items: Json): Shape {
  const shape = { type: 'array', minItems: 1, items };
  return list({ anyOf: [shape, mapOf({ ...groupKeys, fields: { ...groupKeys.fields, shape } })] });
}

export const linkKeys = {
  secret: {
    about: 'The field that holds the hash of the secret; whoever makes a row is answered it, once.',
    shape: text,
    required: true,
  },
  if: { about: 'Which links count: `expires_at > now`.', shape: text, absent: 'all' },
} as const satisfies Keys;

export const accessKeys = Object.fromEntries(
  [...operations, 'all'].map((name) => [name, reference('access')]),
);

export const idKeys = {
  type: {
    about: 'What an id is, as in the short form.',
    shape: { enum: keyKinds },
    required: true,
  },
  prefix: {
    about: 'Comes before what the server makes of `cuid`, `ulid`, `nanoid` or `uuid text`: `usr_`.',
    shape: { ...text, pattern: prefixPattern, maxLength: longestPrefix },
  },
  max: {
    about: 'How many characters an id of type `text` may have.',
    shape: { type: 'integer', minimum: 1, maximum: longestKey, default: longestKey },
  },
} as const satisfies Keys;

export const modelKeys = {
  description,
  table: {
    about: 'Name of the SQL table.',
    shape: text,
    absent: 'plural in snake case: `blog_posts`',
  },
  path: {
    about: 'Segment of the URL: `/api/<path>/`.',
    shape: text,
    absent: 'as the default of `table`',
  },
  plural: {
    about: 'Plural of the name, where the rules of English are not enough.',
    shape: text,
    absent: 'by the rules of English',
  },
  id: {
    about: '[What the ids are](#ids): `int`, counted by the database, unless it is said.',
    shape: { anyOf: [{ enum: keyKinds }, mapOf(idKeys)], default: 'int' },
  },
  timestamps: {
    about:
      '`created_at` and `updated_at`, set by the server; [one of them](#times), or other names.',
    shape: {
      anyOf: [flag, { enum: Object.keys(timestampKeys) }, mapOf(timestampKeys)],
      default: true,
    },
  },
  soft_delete: {
    about:
      'DELETE hides a row instead of removing it; whom `restore` admits list it and bring it back. A text is [the name of its time](#times).',
    shape: { anyOf: [flag, text], default: false },
  },
  owner: {
    about: 'A to-one relation to `User`: [whoever creates the row](#owner).',
    shape: { anyOf: [text, mapOf(ownerKeys)] },
  },
  endpoints: {
    about: 'Some of `list, create, read, update, delete`, or `none`.',
    absent: 'all',
    shape: {
      anyOf: [
        { const: 'none' },
        { type: 'array', uniqueItems: true, items: { enum: endpointNames } },
      ],
    },
  },
  fields: { about: '[The columns](#fields) of a row.', shape: named('field'), absent: 'none' },
  relations: {
    about: '[Links to other models](#relations), declared on the side that holds the key.',
    shape: named('relation'),
    absent: 'none',
  },
  unique: {
    about:
      'Groups of fields and to-one relations that are unique together, or [among some rows](#unique-and-indexed-among-some-rows).',
    absent: 'none',
    shape: groupsOf(text),
  },
  indexes: {
    about: 'Groups of fields and to-one relations to index; `-` before one for descending.',
    absent: 'none',
    shape: groupsOf(reference('order')),
  },
  checks: {
    about: '[What holds between two fields](#checks) of every row: `ends_on >= starts_on`.',
    absent: 'none',
    shape: list(text),
  },
  order_by: {
    about: 'Order of lists that do not ask for one: `-published_at, title`, or a list; up to 5.',
    absent: 'by id',
    shape: { anyOf: [text, list(reference('order'))] },
  },
  access: {
    about: '[Who may do what](#access); `admin` always may.',
    absent: '[few](#access)',
    shape: {
      anyOf: [
        { ...map, properties: accessKeys },
        { ...text, pattern: '^via ' },
      ],
    },
  },
  members: {
    about:
      'Words for [the people around a row](access.md#members), as in `member: Membership`, or the long form.',
    absent: 'none',
    shape: named('members'),
  },
  link: {
    about:
      'A secret that admits [whoever comes by it](access.md#links), as in `link: token`, or the long form.',
    shape: { anyOf: [text, mapOf(linkKeys)] },
  },
  embed: {
    about: '[Fields that are shown](#embed) to whoever may see a row that leads to this one.',
    shape: oneOrMore,
    absent: '`name` of `User`',
  },
  was: {
    about:
      'Former name of the model, or `Item.tags` for links that become its rows: the table is kept.',
    shape: text,
  },
} as const satisfies Keys;

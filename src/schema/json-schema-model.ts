import { fieldFlags } from './shape-field.ts';
import { deleteActions } from './shape-relation.ts';
import { endpointNames } from './schema.ts';
import { any, flag, map, named, text, type JsonObject, type Names } from './json-schema-parts.ts';
import { scalarNames, typicalTypes } from '../types/all.ts';

export function jsonSchemaOfModel({ models, enums, roles }: Names): JsonObject {
  const types = [...scalarNames.map((name) => typicalTypes[name] ?? name), ...enums];
  return {
    model: { ...map({ keys: modelKeys() }), type: ['object', 'null'] },
    field: {
      description: 'A type with range, `?`, default and flags, or the long form.',
      anyOf: [
        { enum: types },
        {
          type: 'string',
          pattern: shortField,
          examples: ['string(1..80)', 'text?', 'int(0..) = 0', 'datetime? index'],
        },
        map({ keys: fieldKeys(types), required: ['type'] }),
      ],
    },
    relation: {
      description:
        '`User` (required), `User?` (optional), `Tag[]` (many-to-many), or the long form.',
      anyOf: [
        { enum: models.flatMap((name) => [name, `${name}?`, `${name}[]`]) },
        {
          type: 'string',
          pattern: target,
        },
        map({ keys: relationKeys(models), required: ['to'] }),
      ],
    },
    enum: {
      description: 'A list of values, or a map of value to description.',
      anyOf: [
        {
          type: 'array',
          minItems: 1,
          items: { anyOf: [value, map({ keys: { value, ...valueKeys() }, required: ['value'] })] },
        },
        {
          type: 'object',
          minProperties: 1,
          additionalProperties: {
            anyOf: [text('What the value means.'), { type: 'null' }, map({ keys: valueKeys() })],
          },
        },
      ],
    },
    who: {
      description: '`public`, `authenticated`, `owner`, `self` (on `User`) or a role.',
      anyOf: [{ enum: ['public', 'authenticated', 'owner', 'self', ...roles] }, { type: 'string' }],
    },
    access: {
      anyOf: [
        { $ref: '#/definitions/who' },
        { type: 'array', items: { $ref: '#/definitions/who' } },
      ],
    },
    order: {
      ...text('A field or relation, `-` before it for descending.'),
      pattern: '^\\s*-?\\s*[A-Za-z][A-Za-z0-9_]*\\s*$',
    },
  };
}

/** Enums begin with a capital letter, as models do; types do not. */
const type = String.raw`(${scalarNames.join('|')}|[A-Z][A-Za-z0-9_]*)\s*(\([^()]*\))?\s*\??`;
const literal = String.raw`("(\\.|[^"\\])*"|'[^']*'|[\[{].*|[^\s"'\[{]\S*)`;
const flags = `(\\s+(${fieldFlags.join('|')}))*`;
const shortField = String.raw`^\s*${type}(\s*=\s*${literal})?${flags}\s*$`;
const target = String.raw`^\s*[A-Z][A-Za-z0-9_]*\s*(\?|\[\s*\])?\s*$`;
const value: JsonObject = {
  description: 'The value, as stored and sent.',
  type: 'string',
  minLength: 1,
};

function valueKeys(): JsonObject {
  return { description: text('What the value means.'), was: text('Former value: a rename.') };
}

function groups(items: JsonObject): JsonObject {
  return { type: 'array', items: { type: 'array', minItems: 1, items } };
}

function modelKeys(): JsonObject {
  return {
    description: text('Reaches the OpenAPI document and the comments of the code.'),
    table: text('Name of the table; the plural of the model in snake case when absent.'),
    path: text('Segment of the URL; the plural of the model in snake case when absent.'),
    plural: text('Plural of the name, where the rules of English are not enough.'),
    id: {
      description: '`int` (64 bits, counted by the database) or `uuid` (version 7).',
      enum: ['int', 'uuid'],
      default: 'int',
    },
    timestamps: { ...flag('`created_at` and `updated_at`, set by the server.'), default: true },
    soft_delete: { ...flag('DELETE hides rows and admins can restore them.'), default: false },
    owner: {
      description: 'A to-one relation to `User`, set from the token on create.',
      anyOf: [{ type: 'string' }, map({ keys: ownerKeys(), required: ['relation'] })],
    },
    endpoints: {
      description: 'Which operations exist; all when absent.',
      anyOf: [
        { const: 'none' },
        { type: 'array', uniqueItems: true, items: { enum: endpointNames } },
      ],
    },
    fields: named('The columns of a row.', '#/definitions/field'),
    relations: named(
      'Links to other models, declared on the side that holds the key.',
      '#/definitions/relation',
    ),
    unique: {
      ...groups({ type: 'string' }),
      description: 'Groups of fields and relations that are unique together.',
    },
    indexes: {
      ...groups({ $ref: '#/definitions/order' }),
      description: 'Indexes: lists of fields and relations, `-` for descending.',
    },
    order_by: {
      description: 'Order of lists when the request gives none.',
      anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/definitions/order' } }],
    },
    access: {
      ...map({
        keys: Object.fromEntries(
          endpointNames.map((name) => [name, { $ref: '#/definitions/access' }]),
        ),
      }),
      description: 'Who may do what. `admin` always may.',
    },
    embed: {
      ...names,
      description:
        'Fields that are shown to whoever may see a row that leads to this one; `name` of `User`.',
    },
    was: text('Former name: a rename, not drop and add.'),
  };
}

const names: JsonObject = {
  anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
};

function ownerKeys(): JsonObject {
  const description = 'Roles that may name another user as the owner of a new row.';
  return {
    relation: text('A to-one relation to `User`, set from the token on create.'),
    assign: { ...names, description },
  };
}

/** Who else than the rules of the model let do it. */
function memberRules(): JsonObject {
  const who = { $ref: '#/definitions/access' };
  return {
    read: { description: 'Who sees it, of those who see the row.', allOf: [who] },
    write: { description: 'Who writes it, of those who write the row.', allOf: [who] },
  };
}

function fieldKeys(types: readonly string[]): JsonObject {
  return {
    type: {
      description: 'A type, its range and its `?`: `string(1..80)?`; or an enum.',
      anyOf: [
        { enum: types },
        {
          type: 'string',
          pattern: String.raw`^\s*${type}\s*$`,
        },
      ],
    },
    optional: { ...flag('May be null.'), default: false },
    default: any('Used when the field is omitted; `now` for times, `uuid` for uuids.'),
    min: { description: 'Least length of a text, or least number.', type: ['number', 'string'] },
    max: {
      description: 'Greatest length of a text, or greatest number.',
      type: ['number', 'string'],
    },
    pattern: text('Regular expression that a text must match.'),
    unique: flag('No two rows share a value.'),
    index: flag('Makes filters and orders fast.'),
    readonly: flag('Set by the server only.'),
    immutable: flag('Set on create, never changed.'),
    hidden: flag('Secret: never leaves the server.'),
    ...memberRules(),
    description: text('Reaches the OpenAPI document and the comments of the code.'),
    example: any('Shown in the OpenAPI document.'),
    column: text('Name of the column; that of the field when absent.'),
    was: text('Former name: a rename, not drop and add.'),
    backfill: any('Value for the rows that exist when a required field is added.'),
  };
}

function relationKeys(models: readonly string[]): JsonObject {
  return {
    to: {
      description: 'The model that the key points to.',
      anyOf: [{ enum: models }, { type: 'string', pattern: target }],
    },
    optional: { ...flag('May be null.'), default: false },
    many: { ...flag('Many-to-many.'), default: false },
    unique: { ...flag('One-to-one.'), default: false },
    inverse: text('Name of the other side: `comments` on `Post`.'),
    through: {
      description: 'Model that joins, when it has fields of its own.',
      anyOf: [{ enum: models }, { type: 'string', pattern: '^[A-Z]' }],
    },
    on_delete: {
      description: 'What deleting the target does to these rows.',
      enum: deleteActions,
      default: 'restrict',
    },
    column: text('Name of the key column; `<name>_id` when absent.'),
    was: text('Former name: a rename, not drop and add.'),
    backfill: any('Id that the rows that exist get when a required relation is added.'),
    index: { ...flag('Index on the key.'), default: true },
    ...memberRules(),
    description: text('Reaches the OpenAPI document and the comments of the code.'),
  };
}

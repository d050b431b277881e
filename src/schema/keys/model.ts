import { type Keys, nothingBesides, type ReadMap, readMap } from '../key.ts';
import { asText, description, listShape, namedMap, stringShape } from '../kinds.ts';
import { type EndpointName, endpointNames, type Located } from '../language.ts';
import { choiceReader, type Reader, readWords } from '../shape.ts';
import type { MapEntry } from '../source.ts';
import { type FieldSchema, shapeField } from './field.ts';
import { asIndexes, asOrder, asUnique } from './groups.ts';
import { asId } from './id.ts';
import { asAccess, asLink, asMembers, asNames, asOwner } from './people.ts';
import { type RelationSchema, shapeRelation } from './relation.ts';
import { asSoftDelete, asTimestamps } from './times.ts';
import { scopeInside, reportKind, type Scope } from '../scope.ts';

/** `none` is the empty list. */
const readEndpoints: Reader<readonly Located<EndpointName>[] | undefined> = (node, scope) => {
  if (node === undefined) return undefined;
  if (node.kind === 'list') {
    return node.items.flatMap((item) => choiceReader(endpointNames)(item, scope) ?? []);
  }
  if (node.kind !== 'scalar' || node.value !== 'none') {
    reportKind(node, `\`none\` or a list of ${endpointNames.join(', ')}`, scope);
  }
  return [];
};

export const modelKeys = {
  description,
  table: {
    about: 'Name of the SQL table.',
    ...asText(),
    absent: 'plural in snake case: `blog_posts`',
  },
  path: {
    about: 'Segment of the URL: `/api/<path>/`.',
    ...asText(),
    absent: 'as the default of `table`',
  },
  plural: {
    about: 'Plural of the name, if it is irregular.',
    ...asText(),
    absent: 'by the rules of English',
  },
  id: {
    about:
      '[What the ids are](#ids): `int`, counted by the database, unless another kind is given.',
    ...asId,
  },
  timestamps: {
    about:
      '`created_at` and `updated_at`, set by the server; [one of them](#times), or other names.',
    ...asTimestamps,
  },
  soft_delete: {
    about:
      'DELETE hides a row instead of removing it; those whom `restore` admits can list it and bring it back. A text [names the time](#times).',
    ...asSoftDelete,
  },
  owner: {
    about: 'A to-one relation to `User`: [whoever creates the row](#owner).',
    ...asOwner,
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
    read: readEndpoints,
  },
  fields: { about: '[The columns](#fields) of a row.', ...namedMap('field'), absent: 'none' },
  relations: {
    about: '[Links to other models](#relations), declared on the side that holds the key.',
    ...namedMap('relation'),
    absent: 'none',
  },
  unique: {
    about:
      'Groups of fields and to-one relations that are unique together, or [among some rows](#unique-and-indexed-among-some-rows).',
    absent: 'none',
    ...asUnique,
  },
  indexes: {
    about: 'Groups of fields and to-one relations to index; `-` before one for descending.',
    absent: 'none',
    ...asIndexes,
  },
  checks: {
    about: '[What holds between two fields](#checks) of every row: `ends_on >= starts_on`.',
    absent: 'none',
    shape: listShape(stringShape),
    read: readWords,
  },
  order_by: {
    about: 'Order of lists that do not ask for one: `-published_at, title`, or a list; up to 5.',
    absent: 'by id',
    ...asOrder,
  },
  access: {
    about: '[Who may do what](#access); `admin` always may.',
    absent: '[few](#access)',
    ...asAccess,
  },
  members: {
    about:
      'Words for [the people around a row](access.md#members), as in `member: Membership`, or the long form.',
    absent: 'none',
    ...asMembers,
  },
  link: {
    about:
      'A secret that admits [whoever has it](access.md#links), as in `link: token`, or the long form.',
    ...asLink,
  },
  embed: {
    about: '[Fields that are shown](#embed) to whoever may see a row that refers to this one.',
    ...asNames,
    absent: '`name` of `User`',
  },
  was: {
    about:
      'Former name of the model, or `Item.tags` for links that become its rows: the table is kept.',
    ...asText(),
  },
} as const satisfies Keys;

/** Short forms expanded, everything the user wrote and nothing they did not: `src/model/` fills the defaults. */
export interface ModelSchema extends Omit<ReadMap<typeof modelKeys>, 'fields' | 'relations'> {
  readonly name: Located<string>;
  readonly fields: readonly FieldSchema[];
  readonly relations: readonly RelationSchema[];
}

export function shapeModel({ name, key, value }: MapEntry, scope: Scope): ModelSchema {
  const inner = scopeInside(scope, name);
  const map = readMap(value, modelKeys, inner);
  return {
    ...map,
    name: { value: name, at: key.at },
    fields: [
      ...map.fields.map((field) => shapeField(field, inner)),
      ...(map.link === undefined ? [] : [secretIn(map.link.secret)]),
    ],
    relations: map.relations.map((relation) => shapeRelation(relation, inner)),
  };
}

/** The field that a link implies: the hash of its secret, made by the server and shown to nobody. */
const secretIn = (name: Located<string>): FieldSchema => ({
  name,
  type: { value: 'string', at: name.at },
  max: { value: '43', at: name.at },
  optional: true,
  unique: true,
  readonly: true,
  hidden: true,
  ...nothingBesides,
});

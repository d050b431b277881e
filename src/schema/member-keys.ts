import {
  any,
  deleteActions,
  flag,
  type Keys,
  off,
  reference,
  shortRelation,
  text,
  typeForm,
  typesOf,
  description,
} from './key.ts';

/** Who else than the rules of the model let do it. */
const memberRules = {
  read: {
    about: '[Who sees it](#fields-and-relations), of those who see the row.',
    absent: 'all of them',
    shape: { allOf: [reference('access')] },
  },
  write: {
    about: '[Who writes it](#fields-and-relations), of those who write the row.',
    absent: 'all of them',
    shape: { allOf: [reference('access')] },
  },
} as const satisfies Keys;

export const fieldKeys = {
  type: {
    about: '[A type](#types), its range and its `?`: `string(1..80)?`; or an enum.',
    shape: (names) => ({
      anyOf: [{ enum: typesOf(names) }, { ...text, pattern: String.raw`^\s*${typeForm}\s*$` }],
    }),
    required: true,
  },
  optional: { about: 'May be null; without it, required.', shape: off },
  default: {
    about: '[Used when the field is omitted](#defaults); `now` for times, `uuid` for uuids.',
    shape: any,
  },
  min: {
    about: 'Least length of a text (in characters), size of `bytes`, or value of a number.',
    shape: { type: ['number', 'string'] },
  },
  max: {
    about: 'Greatest length of a text (in characters), size of `bytes`, or value of a number.',
    shape: { type: ['number', 'string'] },
  },
  pattern: { about: '[Regular expression](#patterns) for a `string` or `text`.', shape: text },
  unique: { about: 'No two rows share a value.', shape: off },
  index: { about: 'Filters and orders by it are fast.', shape: off },
  readonly: { about: 'Set by the server only; needs a default, or to be optional.', shape: off },
  immutable: { about: 'Set on create, never changed.', shape: off },
  hidden: {
    about: 'Secret: in no response, filter, order, field selection, log or document.',
    shape: off,
  },
  ...memberRules,
  description,
  example: {
    about: 'Shown in the OpenAPI document; has to be a value that the field accepts.',
    shape: any,
  },
  column: { about: 'Name of the column.', shape: text, absent: 'that of the field' },
  was: { about: 'Former name: the column is renamed instead of dropped.', shape: text },
  backfill: {
    about: 'Value for the rows that exist already when a required field is added.',
    shape: any,
  },
} as const satisfies Keys;

export const relationKeys = {
  to: {
    about: 'The model that the key points to; `User?` and `Tag[]` work here too.',
    shape: ({ models }) => ({ anyOf: [{ enum: models }, { ...text, pattern: shortRelation }] }),
    required: true,
  },
  optional: { about: 'May be null; without it, required.', shape: off },
  many: { about: 'Many-to-many.', shape: off },
  unique: { about: 'One-to-one: no two rows lead to the same one.', shape: off },
  inverse: { about: 'What the other side calls it: `comments` on `Post`.', shape: text },
  through: {
    about: 'A model that holds the pairs and has fields of its own.',
    shape: ({ models }) => ({ anyOf: [{ enum: models }, { ...text, pattern: '^[A-Z]' }] }),
  },
  on_delete: {
    about:
      'What happens to these rows when the target is deleted: `restrict`, `cascade` or `set_null`.',
    shape: { enum: deleteActions, default: 'restrict' },
  },
  column: { about: 'Name of the key column.', shape: text, absent: '`<name>_id`' },
  was: { about: 'Former name: the key is renamed instead of dropped.', shape: text },
  backfill: {
    about: 'Id that the rows that exist get when a required relation is added.',
    shape: any,
  },
  among: {
    about:
      '[What the target has to agree with](access.md#keys-that-agree): `project.member`, `lesson.school_class`.',
    shape: text,
  },
  index: { about: 'Whether the key is indexed.', shape: { ...flag, default: true } },
  ...memberRules,
  description,
} as const satisfies Keys;

import { fieldTypes, scalarNames } from '../../types/all.ts';
import type { Explanation } from '../problem.ts';

const types = scalarNames.map((name) => `\`${fieldTypes[name].reference.written}\``).join(', ');

/** Family 2xx: enums, fields and lists of fields. */
export const fieldCodes: Readonly<Record<string, Explanation>> = {
  SCF201: {
    title: 'Unknown type',
    explanation: `Types are ${types} and the enums of the file. A link to another model is a relation.`,
    bad: 'models:\n  Post:\n    fields: { title: varchar }',
    good: 'models:\n  Post:\n    fields: { title: string }',
  },
  SCF202: {
    title: 'A short form that cannot be read',
    explanation:
      'A field in short form is `type[(range)][?][ = default][ flags]`: `string(1..80)? = "no title" index`. What does not fit goes into the long form, where `type` holds the type, its range and its `?` alone.',
    bad: 'models:\n  Post:\n    fields: { title: "string(1..80" }',
    good: 'models:\n  Post:\n    fields: { title: string(1..80) }',
  },
  SCF203: {
    title: 'Unknown flag',
    explanation:
      'Flags are `unique`, `index`, `readonly`, `immutable` and `hidden`. Options with a value need the long form.',
    bad: 'models:\n  Post:\n    fields: { slug: string uniq }',
    good: 'models:\n  Post:\n    fields: { slug: string unique }',
  },
  SCF204: {
    title: 'A range that cannot be read',
    explanation:
      'A range is `3..160`, `0..` or `..10`: the length of a text, or the value of a number.',
    bad: 'models:\n  Post:\n    fields: { title: string(160) }',
    good: 'models:\n  Post:\n    fields: { title: string(..160) }',
  },
  SCF205: {
    title: 'Bounds that cannot hold',
    explanation:
      'A bound has to be a value of its type: lengths are whole and not negative, an `int` has 32 bits, a `bigint` 64, a `decimal` its digits. And something must lie between the bounds.',
    bad: 'models:\n  Post:\n    fields: { stars: int(5..1) }',
    good: 'models:\n  Post:\n    fields: { stars: int(1..5) }',
  },
  SCF206: {
    title: 'A default of the wrong type',
    explanation:
      'A default is a value that a client could have sent: a text, a number, `true`, `2026-01-31`. `now` stands for the current time in `date`, `time` and `datetime`, and `uuid` for a fresh one in `uuid`.',
    bad: 'models:\n  Post:\n    fields: { live: bool = maybe }',
    good: 'models:\n  Post:\n    fields: { live: bool = true }',
  },
  SCF207: {
    title: 'A default that its field does not allow',
    explanation:
      'The default lies outside the range, is not a value of the enum, or does not match the pattern.',
    bad: 'enums:\n  Status: [draft, live]\nmodels:\n  Post:\n    fields: { status: Status = gone }',
    good: 'enums:\n  Status: [draft, live]\nmodels:\n  Post:\n    fields: { status: Status = draft }',
  },
  SCF208: {
    title: 'A pattern that is not a regular expression',
    explanation:
      "Patterns are JavaScript's, with the flag `u`: only what needs a backslash may have one. As in JSON Schema they match anywhere in the text, so start with `^` and end with `$` to bind them.",
    bad: 'models:\n  Post:\n    fields:\n      slug: { type: string, pattern: "^[a-z" }',
    good: 'models:\n  Post:\n    fields:\n      slug: { type: string, pattern: "^[a-z]+$" }',
  },
  SCF209: {
    title: 'A pattern that can be made to run forever',
    explanation:
      'Where one text can be matched in many ways, a text that almost matches makes the engine try them all, and one request stops the server. A loop inside a loop (`(a+)+`) doubles the time with each character; two loops that can take the same characters (`^.*.*x$`), or a loop that is not anchored by `^` (`[a-z]+$`), multiply it by the length of the text.',
    bad: 'models:\n  Post:\n    fields:\n      slug: { type: string, pattern: "^([a-z]+-?)+$" }',
    good: 'models:\n  Post:\n    fields:\n      slug: { type: string, pattern: "^[a-z]+(-[a-z]+)*$" }',
  },
  SCF210: {
    title: 'An option that the type does not take',
    explanation:
      'Ranges are for texts, numbers and the size of `bytes`; `pattern` for `string` and `text`; `unique` and `index` for what can be compared. A `bool` or an enum cannot be unique: its few values would soon be used up.',
    bad: 'models:\n  Post:\n    fields: { meta: json unique }',
    good: 'models:\n  Post:\n    fields: { meta: json, key: string unique }',
  },
  SCF211: {
    title: 'Options that contradict each other',
    explanation:
      '`readonly` is set by the server only and `immutable` by a client once; a unique field cannot have one default for all rows; and what `type: string(1..80)?` says is not said again.',
    bad: 'models:\n  Post:\n    fields: { slug: string? readonly immutable }',
    good: 'models:\n  Post:\n    fields: { slug: string immutable }',
  },
  SCF212: {
    title: 'A decimal without sensible digits',
    explanation:
      '`decimal(10,2)` has ten digits, two of them after the point. Up to 18 digits are exact on both databases.',
    bad: 'models:\n  Product:\n    fields: { price: decimal }',
    good: 'models:\n  Product:\n    fields: { price: "decimal(10,2)" }',
  },
  SCF213: {
    title: 'A built-in field is declared again',
    explanation:
      'Every model has `id`, `created_at` and `updated_at` (and `deleted_at` with `soft_delete`). `User` has `name`, `email`, `password` and `role` besides, on which signing in relies.',
    bad: 'models:\n  User:\n    fields: { email: email }',
    good: 'models:\n  User:\n    fields: { second_email: email? }',
  },
  SCF214: {
    title: 'Two members of a model share a name or a column',
    explanation:
      'Fields, relations, their keys (`author_id`), lists of ids (`tag_ids`) and other sides (`inverse`) share the names of one JSON object, and capitals make no difference in SQL. PostgreSQL also keeps a few columns (`xmin`, `ctid`, …) for itself.',
    bad: 'models:\n  Post:\n    fields: { author_id: int }\n    relations: { author: User }',
    good: 'models:\n  Post:\n    relations: { author: User }',
  },
  SCF215: {
    title: 'An example that its field does not allow',
    explanation:
      "Examples appear in the API's documentation: they have to be values that the API accepts.",
    bad: 'models:\n  Post:\n    fields:\n      stars: { type: int(1..5), example: 7 }',
    good: 'models:\n  Post:\n    fields:\n      stars: { type: int(1..5), example: 4 }',
  },
  SCF216: {
    title: 'A field that nobody could fill',
    explanation:
      'A `readonly` field is not accepted from clients. Required and without a default, no row could be created.',
    bad: 'models:\n  Post:\n    fields: { views: int readonly }',
    good: 'models:\n  Post:\n    fields: { views: int = 0 readonly }',
  },
  SCF217: {
    title: 'An enum with wrong values',
    explanation:
      'An enum has 1 to 500 different values, each a text of one line with up to 100 characters.',
    bad: 'enums:\n  Status: [draft, live, draft]',
    good: 'enums:\n  Status: [draft, live, gone]',
  },
  SCF218: {
    title: 'A list names a field that is not there',
    explanation:
      '`unique`, `indexes` and `order_by` name fields and to-one relations of the model itself. A relation is called by its own name, not by that of its key.',
    bad: 'models:\n  Post:\n    fields: { title: string }\n    order_by: -publishd_at',
    good: 'models:\n  Post:\n    fields: { title: string }\n    order_by: -created_at',
  },
  SCF219: {
    title: 'A list names a field that cannot be used there',
    explanation:
      '`json` and `bytes` have no order, many-to-many relations no column, and an order by a hidden field would reveal what it holds.',
    bad: 'models:\n  Post:\n    fields: { meta: json }\n    indexes: [[meta]]',
    good: 'models:\n  Post:\n    fields: { meta: json, kind: string }\n    indexes: [[kind]]',
  },
  SCF220: {
    title: 'A list of fields that is empty, repeats itself or is too long',
    explanation:
      'Groups in `unique` and `indexes` have 1 to 16 fields, `order_by` up to 5, each once.',
    bad: 'models:\n  Post:\n    fields: { title: string }\n    unique: [[title, title]]',
    good: 'models:\n  Post:\n    fields: { title: string }\n    unique: [[title]]',
  },
};

import { fieldTypes, scalarNames } from '../types/all.ts';
import type { Explanation } from './problem.ts';
import { syntaxCodes } from './syntax-problem.ts';

export type { Explanation };

/** Family 7xx: who may do what. */
const accessCodes: Readonly<Record<string, Explanation>> = {
  SCF701: {
    title: 'Unknown word or role',
    explanation:
      'Access is given to `public` (no token needed), `authenticated`, `owner`, `self` (on `User`), or a role: `user`, `admin`, and those listed under `auth: { roles: […] }`. `admin` may do everything without being named.',
    bad: 'models:\n  Post:\n    access: { update: editor }',
    good: 'auth: { roles: [editor] }\nmodels:\n  Post:\n    access: { update: editor }',
  },
  SCF702: {
    title: '`owner` on a model without one',
    explanation: 'The model has to say which relation leads to the owner of a row.',
    bad: 'models:\n  Post:\n    relations: { author: User }\n    access: { update: owner }',
    good: 'models:\n  Post:\n    owner: author\n    relations: { author: User }\n    access: { update: owner }',
  },
  SCF703: {
    title: '`self` outside `User`',
    explanation:
      '`self` admits the user that the row is. Rows of other models belong to users: that is `owner`.',
    bad: 'models:\n  Post:\n    access: { update: self }',
    good: 'models:\n  User:\n    access: { update: self }',
  },
  SCF704: {
    title: 'A role that cannot be declared',
    explanation:
      '`user` and `admin` always exist, and `public`, `authenticated`, `owner` and `self` mean something else. Roles are names: a letter, then letters, digits and `_`.',
    bad: 'auth: { roles: [admin, editor] }',
    good: 'auth: { roles: [editor] }',
  },
  SCF705: {
    title: 'Somebody who cannot create the row',
    explanation:
      'A row that does not exist yet has no owner. Whoever creates it becomes its owner, so there has to be somebody: `public` cannot create rows that need one.',
    bad: 'models:\n  Post:\n    owner: author\n    relations: { author: User }\n    access: { create: owner }',
    good: 'models:\n  Post:\n    owner: author\n    relations: { author: User }\n    access: { create: authenticated }',
  },
  SCF706: {
    title: 'A list of access that is empty or repeats itself',
    explanation:
      'Whoever one word of the list admits may do it. For administrators only, write `admin`.',
    bad: 'models:\n  Post:\n    access: { delete: [] }',
    good: 'models:\n  Post:\n    access: { delete: admin }',
  },
  SCF707: {
    title: 'A rule about a value that nobody reads or writes',
    explanation:
      '`read` and `write` on a field or relation say who else may. What is `hidden` nobody reads; what is `readonly`, the owner of a row, and pairs that are rows of a model of their own are not written by clients at all.',
    bad: 'models:\n  Order:\n    fields:\n      total: { type: int, default: 0, readonly: true, write: admin }',
    good: 'models:\n  Order:\n    fields:\n      total: { type: int, default: 0, write: admin }',
  },
  SCF708: {
    title: 'A required value that those who create a row may not write',
    explanation:
      'Whoever may create a row, or sign up, must be able to send everything it requires: a value that only others may write needs a default, or must be optional.',
    bad: 'auth: { roles: [clerk] }\nmodels:\n  Order:\n    fields:\n      status: { type: string, write: clerk }\n    access: { create: authenticated }',
    good: 'auth: { roles: [clerk] }\nmodels:\n  Order:\n    fields:\n      status: { type: string, default: open, write: clerk }\n    access: { create: authenticated }',
  },
  SCF709: {
    title: '`embed` of something that cannot be embedded',
    explanation:
      '`embed` lists the fields of a row that are shown to those who may see another one that leads to it. Relations and hidden fields cannot be listed; the id is always shown.',
    bad: 'models:\n  User:\n    embed: [name, password]',
    good: 'models:\n  User:\n    embed: [name, created_at]',
  },
  SCF710: {
    title: 'Somebody who cannot assign owners',
    explanation:
      '`assign` lists the roles that may name another user as the owner of a new row; admins always may. A row that needs an owner cannot be created without signing in.',
    bad: 'models:\n  Payment:\n    owner: { relation: payer, assign: authenticated }\n    relations: { payer: User }',
    good: 'auth: { roles: [office] }\nmodels:\n  Payment:\n    owner: { relation: payer, assign: office }\n    relations: { payer: User }',
  },
  SCF711: {
    title: 'A role that owns what it enters for others',
    explanation:
      'Whoever creates a row becomes its owner. Where a role is admitted to all rows anyway, owning one gives it nothing: the rows that it enters are somebody else\u2019s, who does not see them. A warning only.',
    bad: 'auth: { roles: [office] }\nmodels:\n  Payment:\n    owner: payer\n    relations: { payer: User }\n    access: { read: [owner, office], create: office, update: office, delete: office }',
    good: 'auth: { roles: [office] }\nmodels:\n  Payment:\n    owner: { relation: payer, assign: office }\n    relations: { payer: User }\n    access: { read: [owner, office], create: office, update: office, delete: office }',
  },
};

/** Families 3xx, relations, and 4xx, what migrations need to know. */
const relationCodes: Readonly<Record<string, Explanation>> = {
  SCF301: {
    title: 'A relation to an unknown model',
    explanation: 'A relation leads to a model of this file, or to `User`, which is always there.',
    bad: 'models:\n  Post:\n    relations: { author: Usr }',
    good: 'models:\n  Post:\n    relations: { author: User }',
  },
  SCF302: {
    title: 'A relation that cannot be read',
    explanation:
      'In short form a relation is `User` (required), `User?` (optional) or `Tag[]` (many-to-many). Everything else goes into the long form.',
    bad: 'models:\n  Post:\n    relations: { author: User cascade }',
    good: 'models:\n  Post:\n    relations:\n      author: { to: User, on_delete: cascade }',
  },
  SCF303: {
    title: '`set_null` on a required relation',
    explanation:
      'When the target is deleted the key would become null, which a required relation does not allow.',
    bad: 'models:\n  Post:\n    relations:\n      author: { to: User, on_delete: set_null }',
    good: 'models:\n  Post:\n    relations:\n      author: { to: User, optional: true, on_delete: set_null }',
  },
  SCF304: {
    title: 'An owner that is not a user',
    explanation:
      '`owner` names a to-one relation to `User`. It is set from the token when a row is created, and the rules of access compare it with the current user.',
    bad: 'models:\n  Post:\n    owner: author',
    good: 'models:\n  Post:\n    owner: author\n    relations: { author: User }',
  },
  SCF305: {
    title: '`through` a model that does not join the two',
    explanation:
      'The model in between has exactly one to-one relation to each side; two where both sides are one model.',
    bad: 'models:\n  Post:\n    relations:\n      tags: { to: Tag, many: true, through: PostTag }\n  Tag: {}\n  PostTag:\n    relations: { post: Post }',
    good: 'models:\n  Post:\n    relations:\n      tags: { to: Tag, many: true, through: PostTag }\n  Tag: {}\n  PostTag:\n    relations: { post: Post, tag: Tag }',
  },
  SCF306: {
    title: 'The other side of a relation has a name that is taken',
    explanation:
      '`inverse` names something on the target, where it must not clash with a field, a relation or another inverse.',
    bad: 'models:\n  Post:\n    fields: { comments: int }\n  Comment:\n    relations:\n      post: { to: Post, inverse: comments }',
    good: 'models:\n  Post:\n    fields: { comment_count: int }\n  Comment:\n    relations:\n      post: { to: Post, inverse: comments }',
  },
  SCF307: {
    title: 'Required relations in a circle',
    explanation:
      'Each row would need another one to exist first, so that there could be no first row. One of the relations has to be optional.',
    bad: 'models:\n  Team:\n    relations: { captain: Player }\n  Player:\n    relations: { team: Team }',
    good: 'models:\n  Team:\n    relations: { captain: Player? }\n  Player:\n    relations: { team: Team }',
  },
  SCF308: {
    title: 'A required relation to the model itself',
    explanation: 'The first row would have to refer to a row that is not there yet.',
    bad: 'models:\n  Page:\n    relations: { parent: Page }',
    good: 'models:\n  Page:\n    relations: { parent: Page? }',
  },
  SCF309: {
    title: 'An option for the other kind of relation',
    explanation:
      'A to-one relation is a column, and can be optional, unique, indexed and react when its target is deleted. The pairs of a many-to-many relation live in a table of their own, which `through` can name.',
    bad: 'models:\n  Post:\n    relations:\n      tags: { to: Tag, many: true, on_delete: cascade }\n  Tag: {}',
    good: 'models:\n  Post:\n    relations:\n      tags: { to: Tag, many: true }\n  Tag: {}',
  },
  SCF401: {
    title: 'An invalid former name',
    explanation:
      '`was` says that something had another name, so that its data is kept. Only one thing can have had a name; and what has it now must have had another one, as when two names are swapped.',
    bad: 'models:\n  Post:\n    fields:\n      title: { type: string, was: label }\n      label: string',
    good: 'models:\n  Post:\n    fields:\n      title: { type: string, was: label }\n      label: { type: string, was: title }',
  },
  SCF402: {
    title: 'A backfill that its field does not allow',
    explanation:
      '`backfill` is what rows that exist already get when a required field or relation is added: a value that the field accepts, the id of a row that the relation leads to.',
    bad: 'models:\n  Post:\n    fields:\n      stars: { type: int(1..5), backfill: 0 }',
    good: 'models:\n  Post:\n    fields:\n      stars: { type: int(1..5), backfill: 3 }',
  },
};

const types = scalarNames.map((name) => `\`${fieldTypes[name].reference.written}\``).join(', ');

/** Family 2xx: enums, fields and lists of fields. */
const fieldCodes: Readonly<Record<string, Explanation>> = {
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
    title: 'Impossible bounds',
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

/** Every code that a schema file can raise. A code never changes its meaning. */
export const codes: Readonly<Record<string, Explanation>> = {
  ...syntaxCodes,
  ...fieldCodes,
  ...relationCodes,
  ...accessCodes,
};

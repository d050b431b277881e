import type { Explanation } from '../problem.ts';

/** Families 3xx, relations, and 4xx, what migrations need to know. */
export const relationCodes: Readonly<Record<string, Explanation>> = {
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
      '`inverse` names something on the target, where it must not meet a field, a relation or another inverse.',
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

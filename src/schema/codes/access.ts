import type { Explanation } from '../explanation.ts';

/** Family 7xx: who may do what. */
export const accessCodes: Readonly<Record<string, Explanation>> = {
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
    explanation: 'Any word of the list admits. For administrators only, write `admin`.',
    bad: 'models:\n  Post:\n    access: { delete: [] }',
    good: 'models:\n  Post:\n    access: { delete: admin }',
  },
};

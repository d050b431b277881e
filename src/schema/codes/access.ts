import type { Explanation } from '../problem.ts';

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
  SCF707: {
    title: 'A rule about a value that nobody reads or writes',
    explanation:
      '`read` and `write` on a field or relation say who else may. What is `hidden` nobody reads; what is `readonly`, the owner of a row, and pairs that are rows of a model of their own are not written by clients at all.',
    bad: 'models:\n  Order:\n    fields:\n      total: { type: int, default: 0, readonly: true, write: admin }',
    good: 'models:\n  Order:\n    fields:\n      total: { type: int, default: 0, write: admin }',
  },
  SCF708: {
    title: 'A required value that those who make a row may not write',
    explanation:
      'Who may create a row, and who signs up, has to be able to send everything that it must have: what only others write needs a default, or is optional.',
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
      '`assign` lists the roles that may name another user as the owner of a new row; admins always may. A row that needs an owner is not made by strangers.',
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

import { email } from '../types/email.ts';
import type { Located } from './language.ts';

export const isUserName = ({ value }: Located<string>) => value === 'User';

/** What every user has, besides an id and times, because authentication needs it. */
export const userFields = [
  { name: 'name', type: { kind: 'string' }, min: 1, max: 200 },
  {
    name: 'email',
    type: { kind: 'email' },
    ...(email.lengths && { max: email.lengths.most }),
    unique: true,
  },
  // Its column has the hash.
  { name: 'password', type: { kind: 'string' }, source: 'server', hidden: true },
  {
    name: 'role',
    type: { kind: 'enum', enum: 'Role' },
    source: 'server',
    default: { kind: 'literal', value: 'user' },
  },
] as const;

export const namesOfUser: readonly string[] = userFields.map(({ name }) => name);

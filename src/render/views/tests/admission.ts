import { admits, rolesIn } from '../../../model/access.ts';
import type { Entry, Model } from '../../../model/app.ts';
import type { ExampleRows } from './example-rows.ts';

/** Whether a rule admits a visitor to a row that belongs to `owner`, who has the role of every user. */
export function admitsRow(visitor: string, rule: readonly Entry[]): boolean {
  const isTheirs = admits(rule, 'owner') || admits(rule, 'self');
  return admitsAll(visitor, rule) || (visitor === 'owner' && isTheirs);
}

/** Whether it does so whatever the row. */
export function admitsAll(visitor: string, rule: readonly Entry[]): boolean {
  if (visitor === 'admin' || admits(rule, 'public')) return true;
  if (visitor === 'public') return false;
  const role = visitor === 'owner' ? 'user' : visitor;
  return admits(rule, 'authenticated') || rolesIn(rule).includes(role);
}

/** Whether the tests send a field that a visitor may not write in a row that they make. */
export function isBarred(visitor: string, { fields }: Model, { full }: ExampleRows): boolean {
  return fields.some(({ name, write }) => {
    if (write === undefined || !Object.hasOwn(full, name)) return false;
    const isOwner = visitor !== 'public' && admits(write, 'owner');
    return !admitsAll(visitor, write) && !isOwner;
  });
}

import { expect, test } from 'vitest';
import { covers, isReadByMakers } from '../../src/schema/covers.ts';
import { type Entry } from '../../src/schema/entry.ts';
import { parseEntry } from '../../src/schema/parse-entry.ts';
import { isFlaw } from '../../src/schema/scope.ts';

function entryOf(text: string): Entry {
  const entry = parseEntry(text);
  if (isFlaw(entry)) throw new Error(entry.message);
  return entry;
}

test.each([
  ['public', 'authenticated', 'update', true],
  ['public if a = b', 'owner', 'update', false],
  ['authenticated', 'is reviewer', 'update', true],
  ['authenticated', 'public', 'update', false],
  // Over a relation, strangers may see.
  ['authenticated', 'via team', 'read', false],
  ['authenticated', 'via team', 'update', true],
  ['authenticated', 'via team.list', 'update', false],
  ['owner', 'is author', 'read', true],
  ['is reviewer', 'owner', 'read', false],
  ['owner', 'owner if a = b', 'update', true],
  ['owner if a = b', 'owner if c = d and a = b', 'update', true],
  ['owner if a = b', 'owner', 'update', false],
  ['owner then a = b', 'owner', 'update', false],
  ['via team', 'via team.update', 'delete', true],
  ['via team', 'via team.update', 'read', false],
  ['office', 'clerk', 'read', false],
] as const)('%s covers %s for %s: %s', (one, other, operation, expected) => {
  const compared = { owner: 'author', operation };
  expect(covers(entryOf(one), entryOf(other), compared)).toBe(expected);
});

test.each([
  ['owner', 'authenticated', true, true],
  // Who names another owner does not own the row.
  ['owner', 'authenticated', false, false],
  ['owner', 'public', true, false],
  ['owner if a = b', 'authenticated', true, false],
  ['owner if a = b', 'authenticated if a = b', true, true],
  ['office', 'office, admin', true, true],
  ['owner, only if a = b', 'authenticated', true, false],
  ['owner, only if a = b', 'authenticated, only if a = b', true, true],
  ['via team.update', 'via team', true, true],
  ['via team', 'via team', true, false],
] as const)('%s is read by makers who are %s: %s, %s', (read, create, isOwnedByMaker, expected) => {
  const [seen, made] = [read, create].map((rule) => rule.split(', ').map(entryOf));
  const rules = { read: seen ?? [], create: made ?? [] };
  expect(isReadByMakers({ owner: 'author', isOwnedByMaker }, rules)).toBe(expected);
});

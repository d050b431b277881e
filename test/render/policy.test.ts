import { expect, test } from 'vitest';
import { emit } from '../support/emit.ts';

test.each([
  ['public', 'everyone', 'definePolicy, everyone'],
  ['[public, curator]', 'everyone', 'definePolicy, everyone'],
  ['authenticated', 'signedIn', 'definePolicy, signedIn'],
  ['[authenticated, owner]', 'signedIn', 'definePolicy, signedIn'],
  ['owner', "owner('keeper_id')", 'definePolicy, owner'],
  ['[owner, admin]', "owner('keeper_id')", 'definePolicy, owner'],
  ['admin', "role('admin')", 'definePolicy, role'],
  ['curator', "role('curator')", 'definePolicy, role'],
  ['[curator, everyone]', "role('curator', 'everyone')", 'definePolicy, role'],
  [
    '[owner, signedIn]',
    "anyOf(owner('keeper_id'), role('signedIn'))",
    'anyOf, definePolicy, owner, role',
  ],
])('`%s` is the rule %s', (words, rule, imports) => {
  const every = ['list', 'read', 'update', 'delete'];
  const access = every.map((operation) => `${operation}: ${words}`).join(', ');
  const policy = emit(`
version: 1
app: { name: zoo, description: A zoo. }
auth: { roles: [curator, everyone, signedIn] }
models:
  Animal:
    owner: keeper
    fields: { species: 'string(1..80)' }
    relations: { keeper: User }
    access: { ${access}, create: curator }
`).find(({ path }) => path === 'src/animals/policy.ts')?.content;

  for (const operation of every) expect(policy).toContain(`  ${operation}: ${rule},\n`);
  const names = new Set([...imports.split(', '), 'role']);
  expect(policy).toContain(`import { ${[...names].toSorted().join(', ')} } from`);
});

test('a user may be asked for as himself', () => {
  const files = emit(`
version: 1
app: { name: zoo, description: A zoo. }
auth: { roles: [curator] }
models:
  User: { access: { read: [self, curator] } }
`);
  const policy = files.find(({ path }) => path === 'src/users/policy.ts')?.content;
  expect(policy).toContain("  read: anyOf(self, role('curator')),\n");
});

test.each([
  ['owner', []],
  ['owner if species = cat', ['conditions.ts']],
  ['public then species = cat', ['conditions.ts']],
  ['via keeper.update', ['via.ts']],
])('`%s` brings the words that it needs: %j', (words, expected) => {
  const files = emit(`
version: 1
app: { name: zoo, description: A zoo. }
models:
  Animal:
    owner: keeper
    fields: { species: 'string(1..80)' }
    relations: { keeper: User }
    access: { update: ${words} }
`);
  const found = files.flatMap(
    ({ path }) => /^src\/lib\/(conditions\.ts|via\.ts)$/.exec(path)?.[1] ?? [],
  );
  expect(found).toEqual(expected);
});

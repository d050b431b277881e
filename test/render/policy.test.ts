import { expect, test } from 'vitest';
import { emit } from '../support/emit.ts';
import { misformatted } from '../support/formatted.ts';

test('whoever creates a row that must have an owner needs an account, whatever else admits them', () => {
  const written = emit(`
version: 1
app: { name: guests }
models:
  Guest: { link: token, fields: { name: text }, access: { read: link } }
  Reply:
    owner: author
    relations: { author: User, guest: Guest }
    access: { create: via guest.read }
`);
  const text = (path: string) => written.find((file) => file.path === path)?.content;
  expect(text('src/replies/routes.ts')).toContain("app.post('/', { onRequest: app.authenticate,");
  expect(text('test/replies.test.ts')).toContain('create: { public: 401,');
});

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

test('a rule may admit users to themselves', () => {
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
])('`%s` brings the files that it needs: %j', (words, expected) => {
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

const tenants = (membership: string) => `
version: 1
app: { name: zoo, description: A zoo. }
enums: { Level: [member, owner] }
models:
  Zoo:
    fields: { name: string }
    members: { member: { by: Membership, if: accepted = true, first: owner } }
    access: { create: authenticated, read: member, update: 'member(owner)' }
  Farm:
    fields: { name: string }
    members: { member: { by: Membership.user } }
    access: { read: [member, admin] }
  Membership:
${membership}
    relations: { user: User, invited_by: User?, zoo: Zoo?, farm: Farm? }
`;

test('whoever creates a row gets the highest role, even if others count', () => {
  const fields = '    fields: { role: Level = member, accepted: bool = false }';
  const text = tenants(fields).replace(
    'Membership, if: accepted = true,',
    "Membership.user, if: 'role in (member, owner)',",
  );
  const found = emit(text).find(({ path }) => path === 'src/zoos/queries.ts')?.content;

  expect(found).toContain("role: 'owner'");
});

test('members are found by rows of another model, whose policy says who becomes a member of what', () => {
  const fields = '    fields: { role: Level = member, accepted: bool = false }';
  const files = emit(tenants(fields).replace('by: Membership,', 'by: Membership.user,'));
  const text = (path: string) => files.find((file) => file.path === path)?.content;

  expect(text('src/zoos/policy.ts')).toContain(`export const member = members({
  table: 'memberships',
  of: 'zoo_id',
  user: 'user_id',
  role: 'role',
  roles: ['member', 'owner'],
  where: when('accepted', '=', true),
  lasting: when('role', '=', 'owner'),
});
`);
  expect(text('src/zoos/policy.ts')).toContain("  update: member('owner'),\n");
  expect(text('src/farms/policy.ts')).toContain(`export const member = members({
  table: 'memberships',
  of: 'farm_id',
  user: 'user_id',
  role: 'role',
  roles: ['member', 'owner'],
});
`);
  expect(text('src/memberships/policy.ts')).toContain(
    '  gives: [() => zooMember, () => farmMember],\n',
  );
  expect(text('src/zoos/queries.ts')).toContain("role: 'owner',\n          accepted: true,\n");
});

test('where a rule says who writes the role, it is not limited by the role of the viewer', () => {
  const fields = `    soft_delete: true
    fields: { role: { type: Level, default: member, write: admin }, accepted: bool = false }`;
  const files = emit(tenants(fields).replace('by: Membership,', 'by: Membership.user,'));
  const policy = files.find(({ path }) => path === 'src/farms/policy.ts')?.content;
  expect(policy).toContain('  isUnranked: true,\n  deletable: toMembership,\n');
});

test('tests make members of a role that counts, and name it once', () => {
  const text = `
version: 1
app: { name: zoo, description: A zoo. }
enums: { Level: [guest, member, owner] }
models:
  Zoo:
    fields: { name: string }
    members: { member: { by: Membership, if: 'role in (member, owner)' } }
    access: { create: admin, read: member, update: member(owner) }
  Membership:
    fields: { role: Level = guest }
    relations: { user: User, zoo: Zoo }
  Cage:
    relations: { zoo: Zoo, keeper: { to: User, optional: true, among: zoo.member } }
`;
  const made = (of: string) =>
    emit(text)
      .find(({ path }) => path === `test/${of}.test.ts`)
      ?.content.match(/api\.make\.membership\(\{ .*user_id.* \}\)/g);

  expect(made('cages')).toEqual([
    "api.make.membership({ zoo_id: row1.id, user_id: row2.id, role: 'member' })",
  ]);
  expect(made('zoos')).toEqual([
    "api.make.membership({ zoo_id: row.id, user_id: id, role: 'owner' })",
    "api.make.membership({ zoo_id: row.id, user_id: id, role: 'member' })",
  ]);
});

test('a rule names a model as the schema does, whatever its type is called', () => {
  const written = emit(`
version: 1
app: { name: encyclopedia }
models:
  User: { access: { read: [self, shares Page] } }
  Page:
    fields: { title: string }
    members: { editor: { by: Seat } }
  Seat: { relations: { page: Page, editor: User } }
`);
  const policy = written.find((file) => file.path === 'src/users/policy.ts')?.content;
  expect(policy).toContain('shares(toPageRecord, () => pageRecordEditor)');
});

test('a rule for people who share a row with several kinds of members is formatted', async () => {
  const written = emit(`
version: 1
app: { name: clubs }
models:
  User: { access: { read: [self, shares Club] } }
  Club:
    members: { player: Seat, guest: Visit }
    access: { read: [player, guest] }
  Seat: { relations: { user: User, club: Club }, access: { read: is user } }
  Visit: { relations: { user: User, club: Club }, access: { read: is user } }
`);
  expect(await misformatted(written)).toEqual([]);
});

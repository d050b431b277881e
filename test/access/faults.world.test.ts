import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  differences,
  drawn,
  type Drawing,
  failures,
  product,
  seed,
  tenants,
  whileBroken,
} from '../support/access.ts';

type Fault = readonly [name: string, file: string, right: string, broken: string];

/** For each word, what could have been forgotten: where it stands, how it reads, and what it would be without. */
const faults: readonly Fault[] = [
  ['restore', 'src/lib/access.ts', 'rules.restore ?? nobody', 'everyone'],
  ['create', 'src/lib/reply.ts', 'return isShown ?', 'return true ?'],
  ['few rows', 'src/lib/list/ways.ts', '`${areMany} = 0`', '`${areMany} = 2`'],
  ['many rows', 'src/lib/list/page.ts', 'foundBy(walked(rule))', 'foundBy(true)'],
  ['refer', 'src/lib/references.ts', 'to.policy.refer(inSql(viewer))', 'true'],
  ['if', 'src/lib/access.ts', 'before: allOf(who, before)', 'before: who'],
  ['then', 'src/lib/access.ts', 'after: allOf(who, then)', 'after: who'],
  ['who after', 'src/lib/access.ts', 'after: allOf(who, then)', 'after: then'],
  ['only', 'src/lib/access.ts', 'allOf(...all, only)', 'allOf(...all)'],
  ['via', 'src/lib/via.ts', '...admitted(there, condition)', ''],
  ['via what was deleted', 'src/lib/via.ts', '...alive(there), ', ''],
  ['me', 'src/lib/conditions.ts', 'viewer.value(column)', "viewer.value('id')"],
  ['over', 'src/lib/conditions.ts', ' where ${condition}`', '`'],
  ['is null', 'src/lib/conditions.ts', 'value === null) return', 'value === null) return true ||'],
  ['among', 'src/lib/agreement.ts', 'if (wrong.length === 0) return;', 'return;'],
  ['among, of the other key', 'src/lib/agreement.ts', '|| Object.hasOwn(input, other)', ''],
  ['among members', 'src/lib/members.ts', '() => isOf(column(of))', 'everyone'],
  ['among members of a role', 'src/lib/members.ts', 'names.length === 0 ?', 'names.length >= 0 ?'],
  ['is', 'src/lib/access.ts', '= ${viewer.id}`', '<> ${viewer.id}`'],
  ['members', 'src/lib/members.ts', 'allOf(isViewer, living, rule)', 'allOf(living, rule)'],
  ['members if', 'src/lib/members.ts', 'id`, viewer, counted)', 'id`, viewer, everyone)'],
  ['members of a role', 'src/lib/members.ts', 'allOf(where, isOneOf(wanted))', 'where'],
  ['members by a link', 'src/lib/members.ts', ', link())(', ')('],
  ['first', 'src/lib/first-member.ts', 'by.id === 0) return', 'by.id >= 0) return'],
  ['up to one’s own', 'src/lib/members.ts', '!isRanked || upToOwn', 'isRanked || upToOwn'],
  ['the last one', 'src/lib/members.ts', 'if (found.length === 0) throw', 'if (1 > 2) throw'],
  ['link', 'src/lib/link.ts', '= ${sentHash}`', '<> ${sentHash}`'],
  ['shares', 'src/lib/shares.ts', 'among(of, shared)', 'true'],
  ['shares, of mine', 'src/lib/shares.ts', '...admitted(there, mine)', ''],
  ['read of a field', 'src/lib/access.ts', 'read: bound(read)', 'read: bound(everyone)'],
  ['write of a field', 'src/lib/access.ts', 'write: bound(write)', 'write: bound(everyone)'],
];

/** The projects in which a fault is looked for until it is seen: few show what is asked for rarely. */
const drawings: readonly Drawing[] = [
  { count: 10, changes: 100 },
  { count: 25, changes: 300 },
  { count: 25, changes: 300 },
  { count: 25, changes: 300 },
];
const projects: Promise<string>[] = [];

// One after the other, in the same project: what starts is the same but for a line.
test.each(faults)('the oracle sees that `%s` is broken', async (_, file, right, broken) => {
  for (const [round, drawing] of drawings.entries()) {
    const folder = await (projects[round] ??= drawn(seed + round, 'sqlite', drawing));
    const find = () => differences(folder, 'sqlite');
    const found = await whileBroken(join(folder, file), [right, broken], find);
    // It answers, and otherwise: a project that does not start proves nothing.
    if (found.includes('The server and the loops differ')) return;
  }
  expect.fail(`No answer of ${drawings.length} projects was another one.`);
});

/** For each promise about members, what could have been forgotten. */
const memberFaults: readonly Fault[] = [
  ['first', 'src/lib/first-member.ts', 'by.id === 0) return', 'by.id >= 0) return'],
  ['if', 'src/lib/members.ts', 'id`, viewer, counted)', 'id`, viewer, everyone)'],
  [
    'before a row is made',
    'src/lib/write.ts',
    'if (attempt.resource.policy.gives.length > 0) await',
    'if (1 > 2) await',
  ],
  ['up to one’s own', 'src/lib/members.ts', '!isRanked || upToOwn', 'isRanked || upToOwn'],
  [
    'invited to the highest',
    'src/lib/members.ts',
    'isOneOf(roles.slice(index + 1))',
    '() => false',
  ],
  ['the last one', 'src/lib/members.ts', 'if (found.length === 0) throw', 'if (1 > 2) throw'],
  [
    'who is not accepted',
    'src/lib/members.ts',
    'allOf(living, where, lasting)',
    'allOf(living, lasting)',
  ],
  ['unless an admin', 'src/lib/write.ts', 'isAdmin(viewer) ? []', 'isAdmin(null) ? []'],
];

let members: Promise<string> | undefined;

test.each(memberFaults)(
  'the test of members sees that `%s` is broken',
  async (_, file, right, broken) => {
    const folder = await (members ??= tenants('sqlite'));
    const find = () => failures(folder, 'sqlite', 'test/members.test.ts');
    const found = await whileBroken(join(folder, file), [right, broken], find);
    expect(found).toContain('AssertionError');
  },
);

/** What a project's own tests ask of its words. */
const ownFaults: readonly (readonly [string, string, string, string, string])[] = [
  ['tracker', 'issues', 'agreement.ts', 'if (wrong.length === 0) return;', 'return;'],
  ['school', 'grades', 'agreement.ts', 'if (wrong.length === 0) return;', 'return;'],
  ['signing', 'recipients', 'link.ts', '= ${sentHash}`', '<> ${sentHash}`'],
  ['signing', 'users', 'shares.ts', 'among(of, shared)', '1 > 2'],
  ['tracker', 'issues', 'access.ts', '= ${viewer.id}`', '<> ${viewer.id}`'],
  ['signing', 'documents', 'conditions.ts', '${left} ${compared} ${bound(value)}', '1 = 1'],
  ['school', 'grades', 'via.ts', '...admitted(there, condition)', ''],
];

const products = new Map<string, Promise<string>>();

test.each(ownFaults)(
  'the own tests of the %s see in %s that %s is broken',
  async (name, asking, file, right, broken) => {
    const made = products.get(name) ?? product(name, 'sqlite');
    products.set(name, made);
    const folder = await made;
    const find = () => failures(folder, 'sqlite', `test/${asking}.test.ts`);
    const found = await whileBroken(join(folder, 'src/lib', file), [right, broken], find);
    expect(found).toContain('AssertionError');
  },
);

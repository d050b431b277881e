import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failures, product, tenants, whileBroken } from '../support/access.ts';
import { brokenIn, faults, words } from './faults.ts';

const owned = faults.flatMap(([name, file, right, broken, seen]) => {
  const [of, by] = seen?.split(' ') ?? [];
  return of && by ? [[name, of, by, file, [right, broken]] as const] : [];
});

test('the own tests of a product see each word broken', () => {
  expect(brokenIn(faults.filter(([, , , , seen]) => seen !== undefined))).toEqual(new Set(words));
});

const products = new Map<string, Promise<string>>();

// One after the other, in the same project: what starts is the same but for a line.
test.each(owned)(
  'that `%s` is broken is seen by the own tests of the %s, in %s',
  async (_, of, by, file, fault) => {
    const made = products.get(of) ?? product(of, 'sqlite');
    products.set(of, made);
    const folder = await made;
    const find = () => failures(folder, 'sqlite', `test/${by}.test.ts`);
    // A test that fails because nothing starts proves nothing.
    expect(await whileBroken(join(folder, file), fault, find)).toContain('AssertionError');
  },
);

/** For each promise about members, what could have been forgotten. */
const memberFaults: readonly (readonly [string, string, string, string])[] = [
  ['first', 'src/lib/first-member.ts', 'by.id === 0) return', 'by.id >= 0) return'],
  ['if', 'src/lib/members.ts', 'id`, counted)', 'id`, everyone)'],
  [
    'before a row is made',
    'src/lib/write.ts',
    'await requireProposed(open, attempt);\n  if (before',
    'if (before',
  ],
  ['moved elsewhere', 'src/lib/write.ts', 'if (!isMoved) return', 'if (1 < 2) return'],
  [
    'given to somebody else',
    'src/lib/write.ts',
    '|| (user !== undefined',
    '|| (user === undefined',
  ],
  ['with all that it holds', 'src/lib/write.ts', 'input: Object.fromEntries(held) }', 'input }'],
  ['up to one’s own', 'src/lib/members.ts', '!isRanked || upToOwn', 'isRanked || upToOwn'],
  [
    'invited to the highest',
    'src/lib/members.ts',
    'isOneOf(roles.slice(index + 1))',
    '() => false',
  ],
  ['with what was deleted', 'src/lib/members.ts', 'all(aliveMembers(deletable(), of))', 'true'],
  ['links not seen', 'src/lib/set-links.ts', ' and ${other} in (${seen})', ''],
  ['what is not listed', 'src/lib/sql.ts', "? 'read' : 'list'", "? 'read' : 'read'"],
  ['the last one', 'src/lib/members.ts', 'if (found.length === 0) throw', 'if (1 > 2) throw'],
  [
    'who is not accepted',
    'src/lib/members.ts',
    'allOf(living, where, lasting)',
    'allOf(living, lasting)',
  ],
  ['unless an admin', 'src/lib/write.ts', 'if (!isAdmin(viewer))', 'if (!isAdmin(null))'],
  ['what does not count', 'src/lib/members.ts', 'allOf(where, isAsHigh)', 'isAsHigh'],
  ['with another row', 'src/batches/policy.ts', "over: ['batch_id']", "over: ['id']"],
  ['with their account', 'src/lib/write.ts', 'over } of lasting)', 'over } of lasting.slice(1))'],
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

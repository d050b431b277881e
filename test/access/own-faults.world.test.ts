import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failures, product, tenants, whileBroken } from '../support/access.ts';
import { sample } from '../support/trials.ts';
import { betweenMembers, brokenIn, faults, memberFaults, taken, words } from './faults.ts';

const seenByOwn = faults.filter(([, , , , seen]) => seen !== undefined);
const owned = taken(seenByOwn).map(([name, file, right, broken, seen = '']) => {
  const [of = '', by = ''] = seen.split(' ');
  return [name, of, by, file, [right, broken]] as const;
});

test('the own tests of a product catch a fault in each word', () => {
  const seen = words.filter((word) => !betweenMembers.includes(word));
  expect(brokenIn(seenByOwn)).toEqual(new Set(seen));
});

const products = new Map<string, Promise<string>>();

// One after the other, in the same project, which changes only by a line.
test.each(owned)(
  'a fault in `%s` is caught by the own tests of the %s, in %s',
  async (_, of, by, file, fault) => {
    const made = products.get(of) ?? product(of, 'sqlite');
    products.set(of, made);
    const folder = await made;
    const find = () => failures(folder, 'sqlite', `test/${by}.test.ts`);
    // A test that fails because nothing starts proves nothing.
    expect(await whileBroken(join(folder, file), fault, find)).toContain('AssertionError');
  },
);

let members: Promise<string> | undefined;

test.each(sample(memberFaults))(
  'the test of members catches a fault in `%s`',
  async (_, file, right, broken) => {
    const folder = await (members ??= tenants('sqlite'));
    const find = () => failures(folder, 'sqlite', 'test/members.test.ts');
    const found = await whileBroken(join(folder, file), [right, broken], find);
    expect(found).toContain('AssertionError');
  },
);

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { entryWords, whoKinds } from '../../src/schema/entry.ts';
import { operations } from '../../src/schema/language.ts';
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

/** What a schema can say of access; the words that entries are made of are in lists of the language. */
const words = [
  ...operations,
  ...whoKinds,
  ...entryWords,
  'all',
  'a role',
  'members',
  'members of a role',
  'members if',
  'first',
  'among',
  'read of a field',
  'write of a field',
  'read of a relation',
  'write of a relation',
  'null',
  'now',
  'me',
  'over a relation',
  'up to one’s own',
  'the last one',
];

/** By what else somebody could learn of a row that they may not see. */
const leaks = [
  'totals',
  'cursors',
  'filters',
  'orders',
  'embedding',
  'keys',
  'ETags',
  'unique conflicts',
  'error texts',
  'what was deleted',
  'what was made',
];

/** What could have been forgotten of each: where it stands, how it reads, and what it would be without. */
const faults: readonly Fault[] = [
  ['list', 'src/lib/list.ts', 'const rule = resource.policy.list(asking)', 'const rule = true'],
  ['read', 'src/lib/sql.ts', '...admitted(rows, rows.resource.policy.read(viewer))', ''],
  ['create', 'src/lib/checks.ts', '?? [create]', '?? [() => true]'],
  ['update', 'src/lib/checks.ts', 'changes.map(({ before }) => before) :', '[() => true] :'],
  ['delete', 'src/lib/checks.ts', ': [removal]', ': [() => true]'],
  ['restore', 'src/lib/access.ts', 'rules.restore ?? nobody', 'everyone'],
  ['refer', 'src/lib/references.ts', 'to.policy.refer(inSql(viewer))', 'true'],
  [
    'public',
    'src/lib/access.ts',
    'if (conditions.includes(true)) return true;',
    'if (conditions.includes(true)) return false;',
  ],
  ['authenticated', 'src/lib/access.ts', '=> viewer !== null;', '=> true;'],
  ['owner', 'src/lib/access.ts', '= ${viewer.id}`', '<> ${viewer.id}`'],
  ['self', 'src/lib/access.ts', "self = owner('id')", 'self = signedIn'],
  ['link', 'src/lib/link.ts', '= ${sentHash}`', '<> ${sentHash}`'],
  ['is', 'src/lib/access.ts', '= ${viewer.id}`', 'is not null`'],
  ['via', 'src/lib/via.ts', '...admitted(there, condition)', ''],
  ['only', 'src/lib/access.ts', "group(conditions, ' and ')", "group(conditions, ' or ')"],
  ['if', 'src/lib/access.ts', 'before: allOf(who, before)', 'before: who'],
  ['then', 'src/lib/access.ts', 'after: allOf(who, then)', 'after: who'],
  ['update, who after', 'src/lib/access.ts', 'after: allOf(who, then)', 'after: then'],
  ['shares', 'src/lib/shares.ts', 'among(of, shared)', 'true'],
  ['shares, of mine', 'src/lib/shares.ts', '...admitted(there, mine)', ''],
  ['all', 'src/lib/access.ts', 'allOf(...all, only)', 'allOf(...all)'],
  ['a role', 'src/lib/access.ts', 'names.includes(viewer.role)', '!names.includes(viewer.role)'],
  ['members', 'src/lib/members.ts', 'allOf(isViewer, living, rule)', 'allOf(living, rule)'],
  ['members, by a link', 'src/lib/members.ts', ', link())(', ')('],
  ['members of a role', 'src/lib/members.ts', 'allOf(where, isOneOf(wanted))', 'where'],
  ['members if', 'src/lib/members.ts', 'id`, viewer, counted)', 'id`, viewer, everyone)'],
  ['first', 'src/lib/first-member.ts', 'by.id === 0) return', 'by.id >= 0) return'],
  ['among', 'src/lib/agreement.ts', 'if (wrong.length === 0) return;', 'return;'],
  ['among, of the other key', 'src/lib/agreement.ts', '|| Object.hasOwn(input, other)', ''],
  ['among, the members', 'src/lib/members.ts', '() => isOf(column(of))', 'everyone'],
  ['among, a role', 'src/lib/members.ts', 'names.length === 0 ?', 'names.length >= 0 ?'],
  ['read of a field', 'src/lib/access.ts', 'read ? bound(read) : everyone', 'everyone'],
  ['write of a field', 'src/lib/access.ts', 'write ? bound(write) : everyone', 'everyone'],
  [
    'read of a relation',
    'src/lib/resource.ts',
    '{ here: seesField(resource, relation.key, viewer), there: true }',
    '{ here: true, there: true }',
  ],
  [
    'write of a relation',
    'src/lib/checks.ts',
    'if (rules.length === 0) return;\n  const about',
    'return;\n  const about',
  ],
  ['null', 'src/lib/conditions.ts', 'value === null) return', 'value === null) return true ||'],
  [
    'now',
    'src/lib/conditions.ts',
    'sql.raw(operator)',
    "sql.raw(operator === '<=' ? '>' : operator)",
  ],
  ['me', 'src/lib/conditions.ts', 'viewer.value(column)', "viewer.value('id')"],
  ['over a relation', 'src/lib/conditions.ts', ' where ${condition}`', '`'],
  ['up to one’s own', 'src/lib/members.ts', '!isRanked || upToOwn', 'isRanked || upToOwn'],
  ['the last one', 'src/lib/members.ts', 'if (found.length === 0) throw', 'if (1 > 2) throw'],
  [
    'totals',
    'src/lib/list/page.ts',
    'clearOrderBy().select(',
    'clearOrderBy().clearWhere().select(',
  ],
  ['cursors, of many rows', 'src/lib/list/page.ts', 'foundBy(walked(rule))', 'foundBy(true)'],
  ['cursors, of few rows', 'src/lib/list/ways.ts', '`${areMany} = 0`', '`${areMany} = 2`'],
  [
    'filters, over relations',
    'src/lib/sql.ts',
    '[...shownRows(crossing, there), condition(there)]',
    '[condition(there)]',
  ],
  [
    'filters, by what some rows show',
    'src/lib/resource.ts',
    'return seen === true || isShown ? undefined',
    'return true ? undefined',
  ],
  [
    'orders',
    'src/lib/list/page.ts',
    '${fromRelated(crossing)}',
    '${fromRelated({ ...crossing, isShown: true })}',
  ],
  [
    'embedding, of rows',
    'src/lib/row-json.ts',
    'fromRelated({ ...crossing, isShown })',
    'fromRelated({ ...crossing, isShown: true })',
  ],
  [
    'embedding, of fields',
    'src/lib/row-json.ts',
    '? there.resource.policy.read(viewer) : true',
    '? true : true',
  ],
  [
    'embedding, of what is hidden',
    'src/lib/resource.ts',
    'field?.hidden === true ? undefined : field',
    'field',
  ],
  ['keys', 'src/lib/references.ts', '...alive(there), ', ''],
  [
    'ETags',
    'src/lib/checks.ts',
    'if (found === undefined) throw notFound();\n  const ways',
    'if (found === undefined) throw ifMatch ? preconditionFailed() : notFound();\n  const ways',
  ],
  ['unique conflicts', 'src/lib/write.ts', 'if (proposed && ', 'if (1 > 2 && proposed && '],
  [
    'error texts',
    'src/lib/checks.ts',
    'if (found === undefined) throw notFound();\n  const ways',
    'if (found === undefined) throw (await readRow(database, resource, id).catch(() => undefined)) ? refusal(viewer) : notFound();\n  const ways',
  ],
  ['what was deleted', 'src/lib/via.ts', '...alive(there), ', ''],
  ['what was made', 'src/lib/reply.ts', 'return isShown ?', 'return true ?'],
];

test('each word of the language is broken once, and each way around it', () => {
  const broken = faults.map(([name]) => name.replace(/,.*/, ''));
  expect(new Set(broken)).toEqual(new Set([...words, ...leaks]));
});

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

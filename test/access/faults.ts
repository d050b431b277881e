import { accessKeywords } from '../../src/schema/entry.ts';
import { operations } from '../../src/schema/language.ts';
import { isDeep, sample } from '../support/trials.ts';

/** A line of code, what it would be with the fault, and the product and test file that catch it. */
export type Fault = readonly [
  name: string,
  file: string,
  right: string,
  broken: string,
  seen?: `${string} ${string}`,
];

/** What members may do to each other: the test of members covers it, those of a product do not. */
export const betweenMembers = ['up to one’s own', 'the last one'];

/** What a schema can say about access; the words that entries are made of are in lists of the language. */
export const words = [
  ...operations,
  ...accessKeywords,
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
  ...betweenMembers,
];

/** Other ways to learn about a row that one may not see. */
export const leaks = [
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

/** What could have been forgotten for each of them. */
export const faults: readonly Fault[] = [
  [
    'list',
    'src/lib/list/statement.ts',
    'const rule = resource.policy.list(viewer)',
    'const rule = true',
    'signing documents',
  ],
  [
    'read',
    'src/lib/sql.ts',
    '...admitted(rows, rows.resource.policy[operation](viewer))',
    '',
    'signing documents',
  ],
  ['create', 'src/lib/checks.ts', '?? [create]', '?? [() => true]', 'tracker milestones'],
  [
    'update',
    'src/lib/checks.ts',
    'changes.map(({ before }) => before) :',
    '[() => true] :',
    'signing documents',
  ],
  ['delete', 'src/lib/checks.ts', ': [removal]', ': [() => true]', 'signing documents'],
  ['restore', 'src/lib/access.ts', 'rules.restore ?? nobody', 'everyone', 'signing documents'],
  ['refer', 'src/lib/references.ts', 'to.policy.refer(inSql(viewer))', 'true', 'signing documents'],
  [
    'public',
    'src/lib/access.ts',
    'return conditions.includes(true) ||',
    'return !conditions.includes(true) &&',
  ],
  [
    'public, without a token',
    'src/lib/access.ts',
    'if (rule(inSql(viewer)) === false)',
    'if (viewer === null || rule(inSql(viewer)) === false)',
    'shop products',
  ],
  ['authenticated', 'src/lib/access.ts', '=> viewer !== null;', '=> true;'],
  [
    'authenticated, whoever it is',
    'src/lib/access.ts',
    '=> viewer !== null;',
    '=> viewer === null;',
    'signing teams',
  ],
  ['owner', 'src/lib/access.ts', '= ${viewer.id}`', '<> ${viewer.id}`', 'signing documents'],
  [
    'self',
    'src/lib/access.ts',
    'isViewer(`${table}.id`, viewer)',
    'viewer !== null',
    'signing users',
  ],
  ['link', 'src/lib/link.ts', '= ${sentHash}`', '<> ${sentHash}`', 'signing recipients'],
  ['is', 'src/lib/access.ts', '= ${viewer.id}`', 'is not null`', 'school guardians'],
  ['via', 'src/lib/via.ts', '...admitted(there, condition)', '', 'tracker milestones'],
  [
    'only',
    'src/lib/access.ts',
    "group(conditions, ' and ')",
    "group(conditions, ' or ')",
    'tracker milestones',
  ],
  ['if', 'src/lib/access.ts', 'before: allOf(who, before)', 'before: who', 'signing documents'],
  ['then', 'src/lib/access.ts', 'after: allOf(who, then)', 'after: who', 'signing documents'],
  ['update, who after', 'src/lib/access.ts', 'after: allOf(who, then)', 'after: then'],
  ['shares', 'src/lib/shares.ts', 'among(of, shared)', 'true', 'signing users'],
  ['shares, of mine', 'src/lib/shares.ts', '...admitted(there, mine)', '', 'signing users'],
  ['all', 'src/lib/access.ts', 'allOf(...all, only)', 'allOf(...all)', 'tracker milestones'],
  [
    'a role',
    'src/lib/access.ts',
    'names.some((name) => name === viewer?.role)',
    '!names.some((name) => name === viewer?.role)',
    'school guardians',
  ],
  [
    'members',
    'src/lib/members.ts',
    'allOf(isTheirs, living, rule)',
    'allOf(living, rule)',
    'signing memberships',
  ],
  ['members, by a link', 'src/lib/members.ts', ', link())(', ')('],
  [
    'members of a role',
    'src/lib/members.ts',
    'allOf(where, isOneOf(wanted))',
    'where',
    'tracker milestones',
  ],
  ['members if', 'src/lib/members.ts', 'found(counted, ', 'found(everyone, ', 'signing teams'],
  [
    'first',
    'src/lib/first-member.ts',
    'by.id === 0) return',
    'by.id >= 0) return',
    'tracker projects',
  ],
  ['among', 'src/lib/agreement.ts', 'if (wrong.length === 0) return;', 'return;', 'tracker issues'],
  ['among, of the other key', 'src/lib/agreement.ts', '|| Object.hasOwn(input, other)', ''],
  ['among, the members', 'src/lib/members.ts', '() => isOf(column(of))', 'everyone'],
  ['among, a role', 'src/lib/members.ts', 'names.length === 0 ?', 'names.length >= 0 ?'],
  [
    'read of a field',
    'src/lib/access.ts',
    'read ? ruleFor(read) : everyone',
    'everyone',
    'shop products',
  ],
  [
    'write of a field',
    'src/lib/access.ts',
    'write ? ruleFor(write) : everyone',
    'everyone',
    'school users',
  ],
  [
    'read of a relation',
    'src/lib/resource.ts',
    '{ here: seesField(resource, relation.key, viewer), there: true }',
    '{ here: true, there: true }',
    'tracker issues',
  ],
  [
    'write of a relation',
    'src/lib/checks.ts',
    'if (rules.length === 0) return;\n  const purpose',
    'return;\n  const purpose',
    'shop suppliers',
  ],
  [
    'null',
    'src/lib/conditions.ts',
    'value === null) return',
    'value === null) return true ||',
    'signing recipients',
  ],
  [
    'now',
    'src/lib/conditions.ts',
    'sql.raw(operator)',
    "sql.raw(operator === '<=' ? '>' : operator)",
    'school grades',
  ],
  ['me', 'src/lib/conditions.ts', 'viewer.value(name)', "viewer.value('id')"],
  [
    'me, whatever that is',
    'src/lib/conditions.ts',
    '${compared} ${bound(value(viewer))}',
    'is not null',
    'school school-classes',
  ],
  [
    'over a relation',
    'src/lib/conditions.ts',
    ', ...(condition === true ? [] : [condition])',
    '',
    'shop order-lines',
  ],
  ['up to one’s own', 'src/lib/members.ts', '!isRanked || upToOwn', 'isRanked || upToOwn'],
  ['the last one', 'src/lib/members.ts', 'if (left.length === 0 &&', 'if (1 > 2 &&'],
  ['the last one, of what goes along', 'src/lib/write.ts', 'await requireLeft();', ''],
  [
    'up to one’s own, of what goes along',
    'src/lib/members.ts',
    'if (!(await goesWith(open, tenant, taking))) throw',
    'if (1 > 2) throw',
  ],
  [
    'up to one’s own, of what comes back',
    'src/lib/write.ts',
    'await bringMembers(open, context);',
    '',
  ],
  [
    'up to one’s own, by what has come back',
    'src/lib/members.ts',
    'isBack ? upTo(() => isNot(leading(over))) : upToOwn',
    'upToOwn',
  ],
  [
    'up to one’s own, unless the tenant goes along',
    'src/lib/goes-with.ts',
    'at === going.id) return true',
    '1 > 2) return true',
  ],
  [
    'up to one’s own, however far that is',
    'src/lib/goes-with.ts',
    'above !== null && !isFound',
    '1 > 2',
  ],
  ['members, moved elsewhere', 'src/lib/write.ts', 'if (!isMoved) return', 'if (1 < 2) return'],
  [
    'members, given to another',
    'src/lib/write.ts',
    'isMoved ||= user !== undefined',
    'isMoved ||= user === undefined',
  ],
  [
    'totals',
    'src/lib/list/statement.ts',
    'clearOrderBy().select(',
    'clearOrderBy().clearWhere().select(',
  ],
  ['cursors, of many rows', 'src/lib/list/statement.ts', 'foundBy(walked(parts))', 'foundBy(true)'],
  [
    'cursors, of one part',
    'src/lib/access.ts',
    'conditions.flatMap(partsOf)',
    'conditions.slice(0, 1)',
  ],
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
    'src/lib/list/ranges.ts',
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
    'if (found?.[0] !== true) throw notFound();\n  const ways',
    'if (found?.[0] !== true) throw ifMatch && (await readRow(database, resource, id).catch(() => undefined)) ? new Problem(412, "precondition_failed", "") : notFound();\n  const ways',
  ],
  [
    'unique conflicts',
    'src/lib/write.ts',
    '&& !database.isTransaction) {\n    await requireProposed(database, attempt);',
    '&& !database.isTransaction) {',
  ],
  [
    'unique conflicts, of what disagrees',
    'src/lib/write.ts',
    'await requireAgreement(database, attempt, attempt.input);',
    '',
  ],
  [
    'error texts',
    'src/lib/checks.ts',
    'if (found?.[0] !== true) throw notFound();\n  const ways',
    'if (found?.[0] !== true) throw (await readRow(database, resource, id).catch(() => undefined)) ? refusal(viewer) : notFound();\n  const ways',
  ],
  ['what was deleted', 'src/lib/via.ts', '...alive(there), ', ''],
  ['what was made', 'src/lib/reply.ts', 'if (!isShown) return', 'if (1 > 2) return'],
];

/** For each promise about members, what could have been forgotten. */
export const memberFaults: readonly (readonly [string, string, string, string])[] = [
  ['first', 'src/lib/first-member.ts', 'by.id === 0) return', 'by.id >= 0) return'],
  ['what is taken elsewhere', 'src/lib/write.ts', 'if (table !== resource.table)', 'if (1 > 2)'],
  ['if', 'src/lib/members.ts', 'found(counted, ', 'found(everyone, '],
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
    'isMoved ||= user !== undefined',
    'isMoved ||= user === undefined',
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
  ['the last one', 'src/lib/members.ts', 'if (left.length === 0 &&', 'if (1 > 2 &&'],
  [
    'who is not accepted',
    'src/lib/members.ts',
    'allOf(living, where, lasting)',
    'allOf(living, lasting)',
  ],
  ['unless an admin', 'src/lib/write.ts', 'if (!isAdmin(viewer))', 'if (!isAdmin(null))'],
  ['what does not count', 'src/lib/members.ts', 'allOf(where, isAsHigh)', 'isAsHigh'],
  ['with another row', 'src/batches/policy.ts', "over: ['batch_id']", "over: ['id']"],
  [
    'in that row, where it leads',
    'src/lib/members.ts',
    "sql`${column('id')}, ${column(of)}`",
    "sql`${column('id')}, ${column('id')}`",
  ],
  [
    'of what is hidden with another row',
    'src/clubs/policy.ts',
    "over('club_id', 'clubs', everyone, toClub)",
    'everyone',
  ],
  [
    'what ties is listed',
    'src/lib/sql.ts',
    "readable(pairs, viewer, 'list')",
    "readable(pairs, viewer, 'read')",
  ],
  ['what was deleted holds', 'src/lib/conditions.ts', 'to === undefined ?', '1 < 2 ?'],
  ['shown as found', 'src/lib/rows.ts', 'isReading ? seen', 'isReading ? []'],
  ['what others have made of it', 'src/lib/rows.ts', '|| wasChangedByOthers(found, written)', ''],
  [
    'taken with another row',
    'src/lib/members.ts',
    'if (!(await goesWith(open, tenant, taking))) throw',
    'if (1 > 2) throw',
  ],
  [
    'with their account',
    'src/lib/write.ts',
    '...way } of removal.resource.policy.takes)',
    '...way } of removal.resource.policy.takes.slice(1))',
  ],
  [
    'with their tenant',
    'src/lib/goes-with.ts',
    'at === going.id) return true',
    '1 > 2) return true',
  ],
  ['with their tenant, however far', 'src/lib/goes-with.ts', 'above !== null && !isFound', '1 > 2'],
  [
    'of another tenant',
    'src/organisations/policy.ts',
    "over: ['batch_id', 'batches.organisation_id']",
    "over: ['id']",
  ],
  [
    'with what another tenant has',
    'src/lib/members.ts',
    'alive(source({ ...resource, relations: Object.fromEntries(others) }))',
    'alive(source({ ...resource, relations: {} }))',
  ],
  ['brought back', 'src/lib/write.ts', 'await bringMembers(open, context);', ''],
  [
    'brought back by themselves',
    'src/lib/members.ts',
    'isBack ? upTo(() => isNot(leading(over))) : upToOwn',
    'upToOwn',
  ],
  ['taken without the link', 'src/lib/write.ts', '[isByLink(inSql(attempt.viewer))]', '[true]'],
];

/** The words and the leaks that have a fault. */
export const brokenIn = (all: readonly Fault[]) => new Set(all.map(wordOf));

/** Some of those words and leaks, with a fault each; before a release, all. */
export const taken = (all: readonly Fault[]) =>
  isDeep
    ? all
    : sample(
        all.filter((fault, at) => all.findIndex((each) => wordOf(each) === wordOf(fault)) === at),
      );

const wordOf = ([name]: Fault) => name.replace(/,.*/, '');

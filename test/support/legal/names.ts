import * as fc from 'fast-check';
import { oneIn, type Pick, some } from './pick.ts';

/**
 * Names that are legal and awkward: words of SQL and TypeScript, the list's parameters, other
 * schema words, and both spellings of case. No two fold to the same table, route or file.
 */
export const modelNames = [
  'Post',
  'Order',
  'Group',
  'Plugin',
  'Category',
  'Person',
  'Address',
  'BlogPost',
  'OrderItem',
  'Index',
  'Box',
  'Key',
  'Status',
  'Table',
  'Model',
  'Route',
  'Session',
  'Query',
  'Page',
  'Sheep',
  'A',
  'Series',
  'Config',
  'Health',
  'Database',
  'Person2',
  'HTTPRequest',
  'Undo_Log',
  'Symbol2',
  'News',
  'Constructor',
  'This',
  'Api',
  'Test',
  'Seed',
  'Migration',
  'X',
] as const;

export const fieldNames = [
  'title',
  'name',
  'slug',
  'limit',
  'offset',
  'count',
  'fields',
  'filter',
  'cursor',
  'order_by',
  'deleted',
  'default',
  'class',
  'order',
  'group',
  'select',
  'where',
  'from',
  'table',
  'index',
  'function',
  'return',
  'new',
  'delete',
  'then',
  'items',
  'total',
  'type',
  'value',
  'key',
  'a',
  'x1',
  'firstName',
  'is_active',
  'created_by',
  'json',
  'text',
  'date',
  'request',
  'reply',
  'viewer',
  'values',
  'row',
  'code',
  'status',
  'constructor',
  'toString',
  'hasOwnProperty',
  'prototype',
  'arguments',
  'await',
  'email',
  'password',
  'role',
  'rowid',
  'oid',
  'Title',
  'B2',
  'not',
  'and',
  'null',
  'undefined',
  'user',
  'length',
  'page',
  'q',
  'search',
  'shape',
  'draw',
  'sql',
] as const;

export const columnNames = [
  'Column_0',
  'SELECT_1',
  'group_by',
  'order_',
  'c4',
  'c5',
  'c6',
] as const;

const words =
  'very long winded description amount opened published Total XML value2 of the at'.split(' ');

/** `veryLongWindedAmount` or `published_at`: of any length. */
export function madeName(pick: Pick): string {
  const parts = some(pick, words, { least: 1, most: pick(fc.boolean) ? 9 : 3 });
  const isSnake = pick(fc.boolean);
  const name = isSnake
    ? parts.join('_')
    : parts.map((part, at) => (at === 0 ? part : capital(part))).join('');
  return name.slice(0, 60).replace(/_$/, '');
}

/** `ProjectBudgetLine` */
export function madeModelName(pick: Pick): string {
  const parts = some(pick, ['project', 'budget', 'line', 'approval', 'workflow', 'step'], {
    least: 2,
  });
  return parts.map(capital).join(oneIn(pick, 8) ? '_' : '');
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Names of to-one relations, and what the other side calls it when it has a name for it. */
export const relationNames = [
  { name: 'author', inverse: 'written' },
  { name: 'parent', inverse: 'children' },
  { name: 'in', inverse: 'contents' },
  { name: 'createdFor', inverse: 'madeFor' },
  { name: 'union', inverse: 'unions' },
  { name: 'owner', inverse: 'owned' },
  { name: 'constructedBy', inverse: 'constructions' },
  { name: 'a_relation_with_a_name_that_fills_a_line', inverse: 'theOtherSideOfALongRelation' },
] as const;

export const linkNames = [
  'tags',
  'members',
  'related_things',
  'as',
  'peopleWhoHaveToAgreeToAnyChangeOfThisRow',
] as const;

export const enumNames = [
  'Color',
  'Size',
  'PostKind',
  'Level',
  'AnEnumWithAVeryLongNameIndeed',
  'E',
] as const;

export const enumValues = [
  'draft',
  'published',
  'in_progress',
  'in-progress',
  'New York',
  'null',
  'true',
  '1st',
  'default',
  'ÄÖÜ',
  '42',
  "it's",
  '"`${x}',
  'a,b',
  '-',
  '🙂',
  'constructor',
  'x'.repeat(100),
] as const;

export const prose = [
  'An article.',
  'It\'s 100 % "quoted": `code`, ${value} and {{value}}',
  'Ends a comment */ and starts one /*',
  '- a list\n- of two lines\n',
  'Grüße – 你好 🙂',
  'A text that goes on and on, so that the comment and the description that it becomes have to be broken into lines somewhere, as every text of more than a hundred characters.',
  'first paragraph\n\nsecond one, with  two blanks',
  `${'no-blank-to-break-at'.repeat(6)}`,
  '@deprecated see {@link Post}, 5 > 3 & <T>',
  '# no heading | no cell <b>no tag</b> \\ no escape',
] as const;

/** What stands under a key of somebody else's, like `x-label`. */
export const labels = ['text', { a: [1, "it's", null, true], '': {} }, [], 1.5, false] as const;

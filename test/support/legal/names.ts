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
] as const;

/** Names of to-one relations, and what the other side calls it when it has a name for it. */
export const relationNames = [
  { name: 'author', inverse: 'written' },
  { name: 'parent', inverse: 'children' },
  { name: 'in', inverse: 'contents' },
  { name: 'createdFor', inverse: 'madeFor' },
  { name: 'union', inverse: 'unions' },
  { name: 'owner', inverse: 'owned' },
] as const;

export const linkNames = ['tags', 'members', 'related_things', 'as'] as const;

export const enumNames = ['Color', 'Size', 'PostKind', 'Level'] as const;

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
] as const;

export const prose = [
  'An article.',
  'It\'s 100 % "quoted": `code`, ${value} and {{value}}',
  'Ends a comment */ and starts one /*',
  '- a list\n- of two lines\n',
  'Grüße – 你好 🙂',
  '# no heading | no cell <b>no tag</b> \\ no escape',
] as const;

/** One schema, and one change of its text. */
export interface SchemaEdit {
  readonly schema: string;
  /** Each everywhere, one after the other. */
  readonly edits: readonly (readonly [find: string, by: string])[];
}

const shop = 'templates/examples/shop.yaml';
const everyType = 'fixtures/apps/every-type/schema.yaml';
const blog = 'fixtures/apps/blog/schema.yaml';

export const schemaEdits: Readonly<Record<string, SchemaEdit>> = {
  'shop: a field more': {
    schema: shop,
    edits: [['      photo: url?\n', '      photo: url?\n      colour: string(1..20)?\n']],
  },
  'shop: a field less': { schema: shop, edits: [['      weight: float(0..)?\n', '']] },
  'shop: a field renamed': {
    schema: shop,
    edits: [
      [
        '      note: string(..500)?\n',
        '      remark: { type: string(..500), optional: true, was: note }\n',
      ],
    ],
  },
  'shop: a model renamed': {
    schema: shop,
    edits: [
      ['Category', 'Shelf'],
      ['  Shelf:\n', '  Shelf:\n    was: Category\n    table: categories\n'],
    ],
  },
  'shop: no soft delete': { schema: shop, edits: [['    soft_delete: true\n', '']] },
  'shop: other access': {
    schema: shop,
    edits: [
      [
        '      update: [owner, clerk]\n      delete: clerk\n',
        '      update: owner\n      delete: [owner, clerk, admin]\n',
      ],
    ],
  },
  'shop: no rules of fields': {
    schema: shop,
    edits: [
      ['{ type: OrderStatus, default: open, write: clerk }', 'OrderStatus = open'],
      [', read: clerk }', ' }'],
      ['{ relation: customer, assign: clerk }', 'customer'],
    ],
  },
  'shop: a role more': { schema: shop, edits: [['roles: [clerk]', 'roles: [clerk, driver]']] },
  'shop: an enum value more': {
    schema: shop,
    edits: [['    sent: On its way.\n', '    packed: In its box.\n    sent: On its way.\n']],
  },
  'every type: no owner': {
    schema: everyType,
    edits: [
      ['    owner: keeper\n', ''],
      ['[owner, curator]', 'curator'],
      ['delete: [owner, admin]', 'delete: admin'],
    ],
  },
  'shop: ids of another kind': { schema: shop, edits: [['    id: uuid\n', '']] },
  'shop: another name': { schema: shop, edits: [['  name: shop\n', '  name: market\n']] },
  'shop: on postgres': {
    schema: shop,
    edits: [['auth:\n', 'database: postgres\nauth:\n']],
  },
  'every type: fewer endpoints': {
    schema: everyType,
    edits: [['    endpoints: [list, read, create]\n', '    endpoints: [list, read]\n']],
  },
  'every type: endpoints at last': { schema: everyType, edits: [['    endpoints: none\n', '']] },
  'every type: no endpoints': {
    schema: everyType,
    edits: [
      [
        '    description: A word without a plural.\n',
        '    description: A word without a plural.\n    endpoints: none\n',
      ],
    ],
  },
  'every type: a field renamed': {
    schema: everyType,
    edits: [
      ['-pieces', '-parts'],
      ['pieces: int(1..500) = 1', 'parts: { type: int(1..500), default: 1, was: pieces }'],
    ],
  },
  'every type: another path': { schema: everyType, edits: [['path: things', 'path: exhibits']] },
  'every type: another prefix': { schema: everyType, edits: [['prefix: /api/v1', 'prefix: /v2']] },
  'every type: a relation renamed': {
    schema: everyType,
    edits: [
      [
        '      topics: { to: Topic, many: true, inverse: exhibits,',
        '      subjects: { to: Topic, was: topics, many: true, inverse: exhibits,',
      ],
    ],
  },
  'every type: soft delete': {
    schema: everyType,
    edits: [['  Sheep:\n', '  Sheep:\n    soft_delete: true\n']],
  },
  'blog: on postgres': { schema: blog, edits: [['database: sqlite', 'database: postgres']] },
  'blog: a model renamed': {
    schema: blog,
    edits: [
      ['Tag', 'Topic'],
      ['  Topic:\n', '  Topic:\n    was: Tag\n'],
    ],
  },
};

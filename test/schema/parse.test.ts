import { describe, expect, test } from 'vitest';
import { parseSchema } from '../../src/schema/parse.ts';
import type { FieldSchema } from '../../src/schema/keys/field.ts';
import type { ModelSchema } from '../../src/schema/keys/model.ts';
import type { RelationSchema } from '../../src/schema/keys/relation.ts';
import type { Schema } from '../../src/schema/keys/top.ts';

const head = 'version: 1\napp: { name: blog }\n';

test('both forms of a field say the same', () => {
  expect(withoutPlaces(fieldOf('string(3..160)? = "no title" index hidden'))).toEqual(
    withoutPlaces(
      fieldOf(
        '{ type: string, min: 3, max: 160, optional: true, default: no title, index: true, hidden: true }',
      ),
    ),
  );
});

describe('the short form of a field', () => {
  test.each([
    ['string', { type: 'string', optional: false }],
    ['text?', { type: 'text', optional: true }],
    ['string(3..160)', { type: 'string', optional: false, min: '3', max: '160' }],
    ['string( 3 .. 160 ) ?', { type: 'string', optional: true, min: '3', max: '160' }],
    ['int(0..)', { type: 'int', optional: false, min: '0' }],
    ['int(..-10)', { type: 'int', optional: false, max: '-10' }],
    ['float(-1.5..1.5)', { type: 'float', optional: false, min: '-1.5', max: '1.5' }],
    ['decimal(3,2)?', { type: 'decimal', optional: true, precision: 3, scale: 2 }],
    ['int(0..) = 0 readonly', { type: 'int', min: '0', default: 0, readonly: true }],
    ['bool = true', { type: 'bool', default: true }],
    ['bigint = 9007199254740993', { type: 'bigint', default: '9007199254740993' }],
    ['decimal(4,2) = 0.10', { type: 'decimal', default: '0.10' }],
    ['float = -1e-7', { type: 'float', default: -1e-7 }],
    ['string = 42', { type: 'string', default: '42' }],
    [`string = "it's = \\"x\\" unique" unique`, { default: `it's = "x" unique`, unique: true }],
    [`string = 'a "b" c' index`, { default: 'a "b" c', index: true }],
    ['json = {"a": [1, "two }"]} hidden', { default: { a: [1, 'two }'] }, hidden: true }],
    ['datetime = now', { type: 'datetime', default: 'now' }],
    ['string=x', { type: 'string', default: 'x' }],
  ])('%s', (written, expected) => {
    expect(withoutPlaces(fieldOf(`'${written.replaceAll("'", "''")}'`))).toMatchObject(expected);
  });
});

describe('the forms of a relation', () => {
  test.each([
    ['User', { to: 'User', optional: false, many: false }],
    ['User?', { to: 'User', optional: true, many: false }],
    ['"User[]"', { to: 'User', optional: false, many: true }],
    ['{ to: User, many: true }', { to: 'User', optional: false, many: true }],
    ['{ to: "User?", on_delete: set_null }', { to: 'User', optional: true, onDelete: 'set_null' }],
    ['{ to: User, unique: true, inverse: desk }', { to: 'User', unique: true, inverse: 'desk' }],
  ])('%s', (written, expected) => {
    expect(withoutPlaces(relationOf(written))).toMatchObject(expected);
  });
});

describe('the forms of an id', () => {
  test.each([
    ['cuid', { type: 'cuid' }],
    ['{ type: text, max: 40 }', { type: 'text', max: 40 }],
    ['{ column: website_id }', { column: 'website_id' }],
    ['{ type: uuid, column: token }', { type: 'uuid', column: 'token' }],
  ])('%s', (written, expected) => {
    const { id } = modelOf(`id: ${written}`);
    expect(withoutPlaces(id)).toMatchObject(expected);
  });
});

describe('order_by', () => {
  test.each([
    ['-created_at', [{ field: 'created_at', descending: true }]],
    [
      'created_at, -id',
      [
        { field: 'created_at', descending: false },
        { field: 'id', descending: true },
      ],
    ],
    [
      '[ -created_at, id ]',
      [
        { field: 'created_at', descending: true },
        { field: 'id', descending: false },
      ],
    ],
  ])('%s', (written, expected) => {
    expect(withoutPlaces(modelOf(`order_by: ${written}`).orderBy)).toEqual(expected);
  });
});

test('an enum is a list, or a map of value to description, with former values', () => {
  const { enums } = parsed(
    'enums:\n  A: [x, { value: y, was: z, description: The second. }]\n  B: { x: The first., y: { was: z } , w: }\n',
  );
  expect(withoutPlaces(enums)).toEqual([
    {
      name: 'A',
      values: [
        { value: 'x' },
        { value: 'y', was: 'z', extensions: {}, description: 'The second.' },
      ],
    },
    {
      name: 'B',
      values: [
        { value: 'x', description: 'The first.' },
        { value: 'y', was: 'z', extensions: {} },
        { value: 'w' },
      ],
    },
  ]);
});

test('YAML and JSON say the same', () => {
  const json = {
    version: 1,
    app: { name: 'blog' },
    models: { Post: { fields: { title: 'string(1..80) = "a b"' } } },
  };
  expect(withoutPlaces(parseSchema(JSON.stringify(json, null, '\t')).schema)).toEqual(
    withoutPlaces(parsed(`models:\n  Post:\n    fields:\n      title: 'string(1..80) = "a b"'\n`)),
  );
});

test('a name with a meaning in JavaScript is a name like any other', () => {
  const names = [
    'constructor',
    'toString',
    'hasOwnProperty',
    'then',
    'valueOf',
    'class',
    'default',
  ];
  const { fields } = modelOf(`fields: { ${names.map((name) => `${name}: string`).join(', ')} }`);
  expect(fields.map(({ name }) => name.value)).toEqual(names);
});

test('what starts with `x-` passes through, whatever it holds', () => {
  const { extensions } = modelOf('x-a: { __proto__: [1, true, null], "x-y": "${z}" }');
  expect(JSON.stringify(extensions)).toBe('{"x-a":{"__proto__":[1,true,null],"x-y":"${z}"}}');
});

test('an alias stands for the value that it names', () => {
  const { models } = parsed(
    'models:\n  A: { fields: &f { title: string } }\n  B: { fields: *f }\n',
  );
  expect(models[1]?.fields).toEqual(models[0]?.fields);
});

test('a byte order mark is not a column', () => {
  const { problems } = parseSchema('\uFEFFvresion: 1\napp: { name: blog }\n');
  expect(problems).toMatchObject([{ code: 'SCF102', position: { line: 1, column: 1, length: 7 } }]);
});

test('places count characters, not units of UTF-16', () => {
  const { problems } = parseSchema(
    `${head}x-a: { "🙂🙂": 1 }\nx-b: "🙂"\nmodels: { A: { x-c: "🙂", plurl: B } }\n`,
  );
  expect(problems).toMatchObject([{ position: { line: 5, column: 26, length: 5 } }]);
});

test('a key with nothing after it counts as empty', () => {
  const { models } = parsed('models:\n  Tag:\n  Post:\n    fields:\n    relations:\n');
  expect(models.map(({ fields, relations }) => [fields, relations])).toEqual([
    [[], []],
    [[], []],
  ]);
});

function parsed(text: string): Schema {
  const { schema, problems } = parseSchema(head + text);
  expect(problems).toEqual([]);
  if (schema === undefined) throw new Error('a schema without problems is given');
  return schema;
}

function modelOf(line: string): ModelSchema {
  const [model] = parsed(`models:\n  Post:\n    ${line}\n`).models;
  if (model === undefined) throw new Error('the model is there');
  return model;
}

function fieldOf(written: string): FieldSchema {
  const [field] = modelOf(`fields: { title: ${written} }`).fields;
  if (field === undefined) throw new Error('the field is there');
  return field;
}

function relationOf(written: string): RelationSchema {
  const [relation] = modelOf(`relations: { author: ${written} }`).relations;
  if (relation === undefined) throw new Error('the relation is there');
  return relation;
}

/** The values alone, without their places. */
function withoutPlaces(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlaces);
  if (typeof value !== 'object' || value === null) return value;
  if ('at' in value && 'value' in value) return withoutPlaces(value.value);
  const entries = Object.entries(value).filter(([key]) => key !== 'keysAt');
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutPlaces(inner)]));
}

test.each([
  ['sqlite', 18, []],
  ['sqlite', 19, ['SCF212']],
  ['postgres', 65, []],
  ['postgres', 66, ['SCF212']],
])('on %s, a decimal of %i digits has the problems %j', (engine, digits, codes) => {
  const text = `version: 1\napp: { name: a }\ndatabase: ${engine}\nmodels: { A: { fields: { b: 'decimal(${digits},2)' } } }`;
  expect(parseSchema(text).problems.map(({ code }) => code)).toEqual(codes);
});

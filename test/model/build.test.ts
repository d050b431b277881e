import { describe, expect, test } from 'vitest';
import { spellEntry } from '../../src/schema/spell-entry.ts';
import { buildApp } from '../../src/model/build.ts';
import { listRoles } from '../../src/model/lookups.ts';
import { findAssigners } from '../../src/model/writing.ts';
import { fieldNames, fieldOf, modelOf } from './find.ts';
import { gardenSchema } from './garden.ts';
import { at, enumOf, field, model, relation, schemaOf } from './schema-values.ts';

const garden = buildApp(gardenSchema());

describe('User', () => {
  test('comes first, with its base fields before the declared ones', () => {
    expect(garden.models.map(({ names }) => names.type).join(' ')).toBe(
      'User Bed Plant Tag Visit Note',
    );
    expect(fieldNames(modelOf(garden, 'User'))).toBe(
      'id name email password role bio created_at updated_at',
    );
  });

  test('exists when the file does not mention it', () => {
    const app = buildApp(schemaOf([]));
    expect(modelOf(app, 'User')).toMatchObject({ table: 'users', path: 'users' });
    expect(app.enums).toEqual([
      {
        id: 'enum:Role',
        name: 'Role',
        values: [
          { id: 'value:Role.user', value: 'user' },
          { id: 'value:Role.admin', value: 'admin' },
        ],
      },
    ]);
  });

  test('keeps its password and role out of the hands of clients', () => {
    const users = modelOf(garden, 'User');
    expect(fieldOf(users, 'password')).toMatchObject({ hidden: true, source: 'server' });
    expect(fieldOf(users, 'role')).toMatchObject({
      source: 'server',
      default: { kind: 'literal', value: 'user' },
    });
    expect(fieldOf(users, 'email')).toMatchObject({ unique: true, max: 254 });
  });
});

describe('fields', () => {
  test('follow the wire order: id, declared, keys, timestamps, deleted_at', () => {
    expect(fieldNames(modelOf(garden, 'Bed'))).toBe(
      'id name planted_at season keeper_id created_at updated_at deleted_at',
    );
    expect(fieldNames(modelOf(garden, 'Plant'))).toBe('id latin price bed_id parent_id');
  });

  test('a key has the type of the id it points to', () => {
    expect(fieldOf(modelOf(garden, 'Visit'), 'visitor_id').type).toEqual({ kind: 'id' });
    expect(fieldOf(modelOf(garden, 'Visit'), 'plant_id').type).toEqual({ kind: 'uuid' });
  });

  test('the owner’s key is set by the server', () => {
    expect(fieldOf(modelOf(garden, 'Bed'), 'keeper_id').source).toBe('server');
  });

  test('defaults, bounds and examples take their wire form', () => {
    const app = buildApp(
      schemaOf([
        model('Offer', {
          fields: [
            field('price', 'decimal', { precision: 8, scale: 2, default: at(4.5), max: at('1e3') }),
            field('stock', 'bigint', { default: at(7), min: at('-9007199254740993') }),
            field('opens', 'time', { default: at('09:30') }),
            field('starts', 'datetime', { default: at('2026-01-02T03:04:05+01:00') }),
            field('ends', 'datetime', { default: at('2026-01-02 03:04:05.5') }),
            field('seen', 'datetime', { default: at('now') }),
            field('word', 'string', { default: at('now') }),
            field('key', 'uuid', { default: at('uuid') }),
            field('count', 'int', { min: at('1'), max: at('9') }),
          ],
        }),
      ]),
    );
    const offer = modelOf(app, 'Offer');
    const facts = offer.fields.slice(1, 10).map(({ name, default: given, min, max }) => {
      const value = given?.kind === 'literal' ? given.value : given?.kind;
      return [name, value, min, max];
    });
    expect(facts).toEqual([
      ['price', '4.50', undefined, '1000.00'],
      ['stock', '7', '-9007199254740993', undefined],
      ['opens', '09:30:00.000', undefined, undefined],
      ['starts', '2026-01-02T02:04:05.000Z', undefined, undefined],
      ['ends', '2026-01-02T03:04:05.500Z', undefined, undefined],
      ['seen', 'now', undefined, undefined],
      ['word', 'now', undefined, undefined],
      ['key', 'uuid', undefined, undefined],
      ['count', undefined, 1, 9],
    ]);
  });

  test.each(['timestamp', 'timestamp(6)', 'timestamptz(6)'] as const)(
    'moments are kept as %s on PostgreSQL alone',
    (word) => {
      const kept = (['postgres', 'sqlite'] as const).map((database) => {
        const note = model('Note', { fields: [field('seen', 'datetime'), field('day', 'date')] });
        const storage = { times: at(word) };
        const app = buildApp(schemaOf([note], { database: at(database), storage }));
        return modelOf(app, 'Note').fields.flatMap(({ name, stored }) =>
          stored === word ? [name] : [],
        );
      });
      expect(kept).toEqual([['seen', 'created_at', 'updated_at'], []]);
    },
  );

  test('counted ids have 32 bits on PostgreSQL alone', () => {
    const kept = (['postgres', 'sqlite'] as const).map((database) => {
      const note = model('Note', { fields: [field('count', 'bigint')] });
      const app = buildApp(
        schemaOf([note], { database: at(database), storage: { keys: at('int' as const) } }),
      );
      return modelOf(app, 'Note').fields.flatMap(({ name, stored }) => (stored ? [name] : []));
    });
    expect(kept).toEqual([['id'], []]);
  });

  test('texts of another program have any length, and its indexes lack the id', () => {
    const built = (['postgres', 'sqlite'] as const).map((database) => {
      const note = model('Note', {
        fields: [{ ...field('title', 'string'), index: true }, field('stars', 'int')],
      });
      const storage = { texts: at('default' as const), indexes: at('bare' as const) };
      const app = buildApp(schemaOf([note], { database: at(database), storage }));
      const { fields, indexes } = modelOf(app, 'Note');
      return {
        found: fields.flatMap(({ name, stored, max }) => (stored ? [[name, stored, max]] : [])),
        keys: indexes.map(({ keys }) => keys.map((key) => key.field)),
      };
    });
    expect(built).toEqual([
      { found: [['title', 'default', undefined]], keys: [['title']] },
      { found: [], keys: [['title', 'id']] },
    ]);
  });

  test('enums of another program are types on PostgreSQL alone, except the roles', () => {
    const built = (['postgres', 'sqlite'] as const).map((database) => {
      const note = model('Note', {
        fields: [field('mood', 'Mood'), field('size', 'Size'), field('kind', 'Kind')],
      });
      const app = buildApp(
        schemaOf([note], {
          database: at(database),
          enums: [enumOf('Mood', 'good'), enumOf('Size', 's'), enumOf('Kind', 'k')],
          storage: {
            enums: {
              names: [
                [at('Size'), at('sizes_of')],
                [at('Kind'), at('text')],
              ],
            },
          },
        }),
      );
      return app.enums.map(({ name, type }) => [name, type]);
    });
    expect(built).toEqual([
      [
        ['Role', undefined],
        ['Mood', 'Mood'],
        ['Size', 'sizes_of'],
        ['Kind', undefined],
      ],
      [
        ['Role', undefined],
        ['Mood', undefined],
        ['Size', undefined],
        ['Kind', undefined],
      ],
    ]);
  });

  test('text in an index is bounded, other text is not', () => {
    expect(fieldOf(modelOf(garden, 'Plant'), 'latin').max).toBe(640);
    expect(fieldOf(modelOf(garden, 'Tag'), 'name').max).toBeUndefined();
    const app = buildApp(
      schemaOf([
        model('Page', {
          fields: [field('site', 'string'), field('path', 'text'), field('body', 'text')],
          unique: [{ keys: [at('site'), at('path')] }],
        }),
      ]),
    );
    const maxima = modelOf(app, 'PageRecord')
      .fields.slice(1, 4)
      .map(({ max }) => max);
    expect(maxima).toEqual([320, 320, undefined]);
  });
});

function wordsOf(name: string) {
  const rules = Object.entries(modelOf(garden, name).access);
  return Object.fromEntries(rules.map(([operation, rule]) => [operation, rule.map(spellEntry)]));
}

describe('access', () => {
  test('defaults to few: to signed-in users for reading, to the owner or to admins for changes', () => {
    expect(wordsOf('Tag')).toEqual({
      list: ['authenticated'],
      create: ['admin'],
      read: ['authenticated'],
      update: ['admin'],
      delete: ['admin'],
      restore: ['admin'],
      refer: ['authenticated'],
    });
    expect(wordsOf('Bed')).toEqual({
      list: ['public'],
      create: ['authenticated'],
      read: ['public'],
      update: ['owner', 'gardener'],
      delete: ['owner'],
      restore: ['admin'],
      refer: ['public'],
    });
  });

  test('to users is for admins and for themselves, and to their name for whoever sees what is theirs', () => {
    expect(wordsOf('User')).toEqual({
      list: ['admin'],
      create: ['admin'],
      read: ['self'],
      update: ['self'],
      delete: ['admin'],
      restore: ['admin'],
      refer: ['authenticated'],
    });
    expect(modelOf(garden, 'User').embed).toEqual(['name']);
    expect(modelOf(garden, 'Tag').embed).toEqual([]);
    const users = buildApp(schemaOf([model('User', { embed: [] })]));
    expect(modelOf(users, 'User').embed).toEqual([]);
  });

  test('to a field is kept with it, and with the key of a relation', () => {
    const clerk = [at('clerk')];
    const payment = model('Payment', {
      owner: { relation: at('payer'), assign: [at('clerk')] },
      fields: [field('amount', 'int', { read: clerk, write: [at('owner')] })],
      relations: [
        relation('payer', 'User'),
        relation('order', 'Order', { read: clerk }),
        relation('tags', 'Order', { many: true, write: clerk }),
      ],
    });
    const app = buildApp(schemaOf([payment, model('Order')], { auth: { roles: [at('clerk')] } }));
    const { fields, relations } = modelOf(app, 'Payment');
    const role = { kind: 'role', role: 'clerk' };
    expect(fields.find(({ name }) => name === 'amount')).toMatchObject({
      read: [role],
      write: [{ kind: 'owner' }],
    });
    expect(fields.find(({ name }) => name === 'order_id')).toMatchObject({ read: [role] });
    expect(relations.find(({ name }) => name === 'tags')).toMatchObject({ write: [role] });
    expect(findAssigners(modelOf(app, 'Payment'))).toEqual(['clerk']);
    expect(fields.find(({ name }) => name === 'payer_id')).toMatchObject({
      source: 'server',
      write: [{ kind: 'owner' }, role],
    });
  });
});

test('the app’s own defaults are filled in', () => {
  expect(garden).toMatchObject({
    description: '',
    database: 'sqlite',
    apiPrefix: '/api',
  });
  expect(listRoles(garden)).toEqual(['user', 'admin', 'gardener']);
  expect(modelOf(garden, 'Visit').endpoints).toEqual(['list', 'read']);
  expect(modelOf(garden, 'Tag')).toMatchObject({ table: 'tags', path: 'topics' });
  expect(buildApp(schemaOf([], { api: { prefix: at('/') } })).apiPrefix).toBe('');
  expect(buildApp(schemaOf([], { api: { prefix: at('v1/api/') } })).apiPrefix).toBe('/v1/api');
});

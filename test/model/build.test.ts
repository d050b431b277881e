import { describe, expect, test } from 'vitest';
import type { App, Field, Model } from '../../src/model/app.ts';
import { buildApp } from '../../src/model/build.ts';
import { gardenSchema } from './garden.ts';
import { at, field, model, relation, schemaOf } from './schema-values.ts';

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

  test('is there when the file does not speak of it', () => {
    const app = buildApp(schemaOf([]));
    expect(modelOf(app, 'User')).toMatchObject({ table: 'users', path: 'users', idType: 'int' });
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

  test('text in an index is bounded, other text is not', () => {
    expect(fieldOf(modelOf(garden, 'Plant'), 'latin').max).toBe(512);
    expect(fieldOf(modelOf(garden, 'Tag'), 'name').max).toBeUndefined();
  });
});

describe('relations', () => {
  test('a to-one has a key here and an inverse there', () => {
    expect(relationOf(modelOf(garden, 'Plant'), 'bed')).toMatchObject({
      kind: 'one',
      target: 'Bed',
      key: 'bed_id',
      onDelete: 'cascade',
    });
    expect(relationOf(modelOf(garden, 'Bed'), 'plants')).toEqual({
      kind: 'inverse',
      id: 'inverse:Plant.bed',
      name: 'plants',
      target: 'Plant',
      of: 'bed',
      single: false,
    });
    expect(relationOf(modelOf(garden, 'Bed'), 'note')).toMatchObject({ single: true });
  });

  test('a many-to-many gets a join table, seen from both sides', () => {
    expect(garden.joinTables).toEqual([
      {
        id: 'join:Bed.tags',
        table: 'beds_tags',
        left: { column: 'bed_id', model: 'Bed' },
        right: { column: 'tag_id', model: 'Tag' },
      },
    ]);
    const joint = { kind: 'links', table: 'beds_tags' };
    expect(relationOf(modelOf(garden, 'Bed'), 'tags')).toMatchObject({
      ...joint,
      column: 'bed_id',
      targetColumn: 'tag_id',
      idsField: 'tag_ids',
    });
    const beds = relationOf(modelOf(garden, 'Tag'), 'beds');
    expect(beds).toMatchObject({ ...joint, column: 'tag_id', targetColumn: 'bed_id' });
    expect(beds).not.toHaveProperty('idsField');
  });

  test('`through` uses the keys of the model between', () => {
    const pairs = { kind: 'links', table: 'visits', through: 'Visit' };
    expect(relationOf(modelOf(garden, 'Plant'), 'visitors')).toMatchObject({
      ...pairs,
      column: 'plant_id',
      targetColumn: 'visitor_id',
    });
    expect(relationOf(modelOf(garden, 'User'), 'visited')).toMatchObject({
      ...pairs,
      column: 'visitor_id',
      targetColumn: 'plant_id',
    });
  });

  test('a model between a model and itself uses its two keys in order', () => {
    const app = buildApp(
      schemaOf([
        model('User', {
          relations: [relation('following', 'User', { many: true, through: at('Follow') })],
        }),
        model('Follow', {
          relations: [relation('follower', 'User'), relation('followed', 'User')],
        }),
      ]),
    );
    expect(relationOf(modelOf(app, 'User'), 'following')).toMatchObject({
      column: 'follower_id',
      targetColumn: 'followed_id',
    });
  });

  test('a model’s links to itself have two columns', () => {
    const app = buildApp(
      schemaOf([model('Post', { relations: [relation('posts', 'Post', { many: true })] })]),
    );
    expect(app.joinTables[0]).toMatchObject({
      left: { column: 'post_id' },
      right: { column: 'target_post_id' },
    });
  });
});

describe('constraints', () => {
  test('relations stand for their keys, columns give the names', () => {
    expect(modelOf(garden, 'Bed').unique).toEqual([
      { name: 'beds_keeper_id_name_unique', fields: ['keeper_id', 'name'] },
    ]);
    expect(modelOf(garden, 'Plant').unique).toEqual([
      { name: 'plants_latin_name_unique', fields: ['latin'] },
    ]);
  });

  test('a key is indexed unless another index starts with it', () => {
    expect(indexNames(modelOf(garden, 'Visit'))).toBe(
      'visits_visitor_id_index visits_plant_id_index',
    );
    expect(indexNames(modelOf(garden, 'Note'))).toBe('');
  });

  test('uniqueness among living rows does not serve as an index of all', () => {
    expect(indexNames(modelOf(garden, 'Bed'))).toContain('beds_keeper_id_index');
  });

  test('an index runs the way of the default order', () => {
    expect(modelOf(garden, 'Bed').indexes[1]).toEqual({
      name: 'beds_planted_at_index',
      keys: [{ field: 'planted_at', descending: true }],
    });
  });

  test('no name is longer than PostgreSQL keeps, and no two become one', () => {
    const long = 'a_field_of_a_rather_long_name_that_goes_on_and_on';
    const app = buildApp(
      schemaOf([
        model('Measurement', {
          fields: [field(`${long}_x`, 'int'), field(`${long}_y`, 'int')],
          unique: [
            [at(`${long}_x`), at(`${long}_y`)],
            [at(`${long}_y`), at(`${long}_x`)],
          ],
        }),
      ]),
    );
    const names = modelOf(app, 'Measurement').unique.map(({ name }) => name);
    expect(new Set(names).size).toBe(2);
    for (const name of names)
      expect(name).toMatch(/^measurements_.{41}_[0-9a-f]{8}_unique$|^.{1,63}$/);
    expect(Math.max(...names.map((name) => Buffer.byteLength(name)))).toBe(63);
  });
});

describe('access', () => {
  test('defaults to the signed-in, and to the owner for changes', () => {
    expect(modelOf(garden, 'Tag').access).toEqual({
      list: ['authenticated'],
      create: ['authenticated'],
      read: ['authenticated'],
      update: ['authenticated'],
      delete: ['authenticated'],
    });
    expect(modelOf(garden, 'Bed').access).toEqual({
      list: ['public'],
      create: ['authenticated'],
      read: ['public'],
      update: ['owner', 'gardener'],
      delete: ['owner'],
    });
  });

  test('of users is for admins and oneself', () => {
    expect(modelOf(garden, 'User').access).toEqual({
      list: ['admin'],
      create: ['admin'],
      read: ['self'],
      update: ['self'],
      delete: ['admin'],
    });
  });
});

test('the app’s own defaults are filled in', () => {
  expect(garden).toMatchObject({
    title: 'Garden',
    description: '',
    database: 'sqlite',
    apiPrefix: '/api',
    roles: ['user', 'admin', 'gardener'],
  });
  expect(modelOf(garden, 'Visit').endpoints).toEqual(['list', 'read']);
  expect(modelOf(garden, 'Tag')).toMatchObject({ table: 'tags', path: 'topics' });
  expect(buildApp(schemaOf([], { api: { prefix: at('/') } })).apiPrefix).toBe('');
  expect(buildApp(schemaOf([], { api: { prefix: at('v1/api/') } })).apiPrefix).toBe('/v1/api');
});

function modelOf(app: App, type: string): Model {
  return found(app.models.find(({ names }) => names.type === type));
}

function fieldOf({ fields }: Model, name: string): Field {
  return found(fields.find((candidate) => candidate.name === name));
}

function relationOf({ relations }: Model, name: string) {
  return found(relations.find((candidate) => candidate.name === name));
}

function fieldNames({ fields }: Model): string {
  return fields.map(({ name }) => name).join(' ');
}

function indexNames({ indexes }: Model): string {
  return indexes.map(({ name }) => name).join(' ');
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('not found');
  return value;
}

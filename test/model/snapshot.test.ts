import { describe, expect, test } from 'vitest';
import { buildApp } from '../../src/model/build.ts';
import { snapshotShape, snapshotApp } from '../../src/model/snapshot.ts';
import { gardenSchema } from './garden.ts';
import { at, field, model, relation, schemaOf } from './schema-values.ts';

const garden = buildApp(gardenSchema());

describe('a snapshot', () => {
  test('gives back exactly the app it was made from', () => {
    const text = JSON.stringify(snapshotApp(garden));
    expect(snapshotShape.parse(JSON.parse(text))).toEqual(garden);
    expect(JSON.stringify(snapshotApp(snapshotShape.parse(JSON.parse(text))))).toBe(text);
  });

  test('keeps values of every shape', () => {
    const hostile = { __proto__: null, b: [1, null, { z: '`${}`', a: true }], a: '*/\n' };
    const app = buildApp(
      schemaOf([
        model('Seed', {
          fields: [field('meta', 'json', { default: at(hostile) })],
          extensions: { 'x-order': 2, 'x-list': [] },
        }),
      ]),
    );
    expect(snapshotShape.parse(JSON.parse(JSON.stringify(snapshotApp(app))))).toEqual(app);
  });

  test('of a version with one endpoint fewer admits nobody to that one', () => {
    const models = garden.models.map((each) => {
      const { delete: _, ...access } = each.access;
      return { ...each, access };
    });
    const read = snapshotShape.parse({ version: 1, app: { ...garden, models } });
    expect(read.models.map(({ access }) => access)).toEqual(
      garden.models.map(({ access }) => ({ ...access, delete: [] })),
    );
  });

  test('of a version that did not record the names of models has those of their types', () => {
    const app = buildApp(schemaOf(['Page', 'FieldRecord', 'Tree'].map((name) => model(name))));
    const text = JSON.stringify(snapshotApp(app));
    const former = text.replaceAll(/,"name":"(?:Page|FieldRecord|Tree|User)"(?=,"names")/g, '');
    expect(former.length).toBeLessThan(text.length);
    expect(snapshotShape.parse(JSON.parse(former))).toEqual(app);
  });

  test('of a version that named models by their types names them as the schema does', () => {
    const record = model('Record', {
      relations: [relation('page', 'Page', { inverse: at('records') })],
    });
    const page = model('Page', {
      relations: [
        relation('author', 'User'),
        relation('tags', 'Tag', { many: true, inverse: at('pages') }),
        relation('readers', 'User', { many: true, through: at('Page') }),
      ],
    });
    const app = buildApp(schemaOf([page, record, model('Tag')]));
    const text = JSON.stringify(snapshotApp(app));
    const former = text.replaceAll(
      /"(target|through|model|by)":"(Page|Record)"/g,
      '"$1":"$2Record"',
    );
    for (const key of ['target', 'through', 'model'])
      expect(former).toContain(`"${key}":"PageRecord"`);
    expect(snapshotShape.parse(JSON.parse(former))).toEqual(app);
  });

  test('of a version that recorded some facts twice has each of them once', () => {
    const models = garden.models.map((each) => ({
      ...each,
      idType: 'int',
      timestamps: true,
      softDelete: false,
      assign: [],
      fields: each.fields.map((it) => ({ ...it, index: false })),
      relations: each.relations.map((it) => {
        if (it.kind === 'links') return it;
        return {
          ...it,
          ...(it.kind === 'one' ? { optional: false, unique: false } : { single: true }),
        };
      }),
    }));
    const app = { ...garden, models, title: 'Garden', roles: ['user', 'admin'] };
    expect(snapshotShape.parse({ version: 1, app })).toEqual(garden);
  });

  test('has the keys of every object in order', () => {
    expect(unsortedKeys(snapshotApp(garden))).toEqual([]);
  });

  test.each([
    ['no object', 7, ''],
    ['another version', { ...object(snapshotApp(garden)), version: 2 }, 'version'],
    ['a key too many', { ...object(snapshotApp(garden)), extra: 1 }, ''],
    ['a model without names', { version: 1, app: { ...garden, models: [{}] } }, 'app.models.0.id'],
  ])('is refused, and the place is named: %s', (_, damaged, place) => {
    const { error } = snapshotShape.safeParse(damaged);
    expect(error?.issues.map(({ path }) => path.join('.'))).toContain(place);
  });
});

function object(json: unknown): object {
  return typeof json === 'object' && json !== null ? json : {};
}

function unsortedKeys(json: unknown): readonly string[] {
  if (Array.isArray(json)) return json.flatMap(unsortedKeys);
  const keys = Object.keys(object(json));
  const inner = Object.values(object(json)).flatMap(unsortedKeys);
  return keys.join() === keys.toSorted().join() ? inner : [keys.join(), ...inner];
}

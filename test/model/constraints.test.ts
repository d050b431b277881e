import { describe, expect, test } from 'vitest';
import { buildApp } from '../../src/model/build.ts';
import { indexNames, modelOf } from './find.ts';
import { gardenSchema } from './garden.ts';
import { at, field, model, schemaOf } from './schema-values.ts';

const garden = buildApp(gardenSchema());

const up = (name: string) => ({ field: at(name), descending: false });
const down = (name: string) => ({ field: at(name), descending: true });

describe('constraints', () => {
  test('relations stand for their keys, and columns give the names', () => {
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

  test('a unique index of living rows does not serve as an index of all rows', () => {
    expect(indexNames(modelOf(garden, 'Bed'))).toContain('beds_keeper_id_index');
  });

  test('an index ends with the id, in the direction of its last key', () => {
    expect(modelOf(garden, 'Bed').indexes.slice(0, 2)).toEqual([
      {
        name: 'beds_season_name_index',
        keys: [
          { field: 'season', descending: false },
          { field: 'name', descending: true },
          { field: 'id', descending: true },
        ],
      },
      {
        name: 'beds_planted_at_index',
        keys: [
          { field: 'planted_at', descending: false },
          { field: 'id', descending: false },
        ],
      },
    ]);
  });

  test('two lists of keys that give the same index give one', () => {
    const indexes = [[up('a')], [up('a'), up('id')], [down('a')]].map((keys) => ({ keys }));
    const app = buildApp(schemaOf([model('Bed', { fields: [field('a', 'int')], indexes })]));
    expect(indexNames(modelOf(app, 'Bed'))).toMatch(/^beds_a_index beds_a_\w{8}_index$/);
  });

  test('no two indexes of the database share a name', () => {
    const app = buildApp(
      schemaOf([
        model('Bed', { table: at('bed'), fields: [field('tags_id', 'int', { index: true })] }),
        model('Other', {
          table: at('bed_tags'),
          fields: [field('a', 'int')],
          indexes: [up('id'), up('a'), down('a')].map((key) => ({ keys: [key] })),
        }),
      ]),
    );
    const names = app.models.flatMap(({ indexes }) => indexes.map(({ name }) => name));
    expect(new Set(names).size).toBe(4);
    expect(names[0]).toBe('bed_tags_id_index');
    expect(names[1]).toMatch(/^bed_tags_id_[0-9a-f]{8}_index$/);
    expect(names[2]).toBe('bed_tags_a_index');
    expect(names[3]).toMatch(/^bed_tags_a_[0-9a-f]{8}_index$/);
  });

  test('no name is longer than PostgreSQL keeps, and no two become the same', () => {
    const long = 'a_field_of_a_rather_long_name_that_goes_on_and_on';
    const app = buildApp(
      schemaOf([
        model('Measurement', {
          fields: [field(`${long}_x`, 'int'), field(`${long}_y`, 'int')],
          unique: [
            { keys: [at(`${long}_x`), at(`${long}_y`)] },
            { keys: [at(`${long}_y`), at(`${long}_x`)] },
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

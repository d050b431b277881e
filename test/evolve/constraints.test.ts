import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tablesSql } from '../../src/evolve/initial.ts';
import { buildApp } from '../../src/model/build.ts';
import { gardenSchema } from '../model/garden.ts';
import { at, model, relation, schemaOf } from '../model/schema-values.ts';
import { insert, openDatabase, stamps, type TestDatabase, type Value } from './database.ts';

type Values = Readonly<Record<string, Value>>;

const ids = [
  '00000000-0000-7000-8000-000000000001',
  '00000000-0000-7000-8000-000000000002',
] as const;
const bed = (values: Values) => insert('beds', { keeper_id: 1, ...stamps, ...values });
const plant = (values: Values) =>
  insert('plants', { id: ids[0], latin_name: 'Rosa', bed_id: 1, ...values });

describe.each(['sqlite', 'postgres'] as const)('the garden on %s', (engine) => {
  let garden: TestDatabase;

  beforeAll(async () => {
    garden = await openDatabase(engine);
    await garden.migrate(tablesSql(buildApp(gardenSchema(engine))));
    const ann = { id: 1, name: 'Ann', email: 'ann@example.test', password: 'x' };
    await garden.run(insert('members', { ...ann, ...stamps }));
    await garden.run(bed({ id: 1, name: 'Roses' }));
  });
  afterAll(() => garden.close());

  test.each([
    ['a value that the enum does not have', bed({ name: 'x', season: 'dry' }), 'beds_season_check'],
    ['text that is too short', bed({ name: '' }), 'beds_name_check'],
    ['text that is too long', bed({ name: 'x'.repeat(41) }), /beds_name_check|varying\(40\)/],
    ['a number below its bound', plant({ price: -1 }), 'plants_price_check'],
    [
      'a number of too many digits',
      plant({ price: 123_456_789 }),
      /plants_price_check|numeric field overflow/,
    ],
    ['an id that is not a uuid', plant({ id: 'rose' }), /plants_id_check|type uuid/],
    ['an id that is null', plant({ id: null }), /NOT NULL|not-null/],
    ['a missing value', bed({ name: null }), /NOT NULL|not-null/],
    ['a key to a missing row', bed({ name: 'x', keeper_id: 7 }), /FOREIGN KEY|beds_keeper_id_fkey/],
    ['a role that nobody declared', `UPDATE members SET role = 'king'`, 'members_role_check'],
  ])('refuses %s', async (_, statement, reason) => {
    await expect(garden.run(statement)).rejects.toThrow(reason);
  });

  test('fills in literal defaults', async () => {
    await garden.run(plant({}));
    const query = `SELECT role, token_version, season, price
      FROM members JOIN beds ON keeper_id = members.id JOIN plants ON bed_id = beds.id`;
    expect(await garden.rows(query)).toEqual([
      engine === 'sqlite'
        ? { role: 'user', token_version: 0n, season: 'spring', price: 450n }
        : { role: 'user', token_version: 0, season: 'spring', price: '4.50' },
    ]);
    await garden.run('DELETE FROM plants');
  });

  test('counts characters, not bytes or halves of a pair', async () => {
    await garden.run(bed({ id: 3, name: '🌹'.repeat(40) }));
    await garden.run('DELETE FROM beds WHERE id = 3');
  });

  test('keeps values unique only among rows that are not deleted', async () => {
    const again = { name: 'Roses' };
    const reason = /beds\.name|beds_keeper_id_name_unique/;
    await expect(garden.run(bed(again))).rejects.toThrow(reason);
    await garden.run(bed({ ...again, id: 4, deleted_at: stamps.created_at }));
    await garden.run(bed({ ...again, id: 5, deleted_at: stamps.created_at }));
    await expect(garden.run('UPDATE beds SET deleted_at = NULL')).rejects.toThrow(reason);
    await garden.run('DELETE FROM beds WHERE id > 1');
  });

  test('has one row at the other end of a one-to-one', async () => {
    const note = insert('notes', { text: 'Water daily', bed_id: 1, ...stamps });
    await garden.run(note);
    await expect(garden.run(note)).rejects.toThrow(/notes\.bed_id|notes_bed_id_unique/);
    await garden.run('DELETE FROM notes');
  });

  test('cascades, sets null and restricts', async () => {
    await garden.run(bed({ id: 6, name: 'Herbs' }));
    await garden.run(plant({ bed_id: 6 }));
    await garden.run(plant({ id: ids[1], latin_name: 'Mentha', parent_id: ids[0] }));
    await expect(garden.run('DELETE FROM members')).rejects.toThrow(/foreign key/i);
    await garden.run('DELETE FROM beds WHERE id = 6');
    expect(await garden.rows('SELECT latin_name, parent_id FROM plants')).toEqual([
      { latin_name: 'Mentha', parent_id: null },
    ]);
    await garden.run('DELETE FROM plants');
  });

  test('drops the pairs of a deleted row, and allows no pair twice', async () => {
    await garden.run(insert('tags', { id: 1, name: 'red', ...stamps }));
    await garden.run(insert('tags', { id: 2, name: 'tall', ...stamps }));
    await garden.run(insert('beds_tags', { bed_id: 1, tag_id: 1 }));
    await garden.run(insert('beds_tags', { bed_id: 1, tag_id: 2 }));
    const again = insert('beds_tags', { bed_id: 1, tag_id: 1 });
    await expect(garden.run(again)).rejects.toThrow(/unique/i);
    await garden.run('DELETE FROM tags WHERE id = 1');
    expect(await garden.rows('SELECT * FROM beds_tags')).toHaveLength(1);
    await garden.run('DELETE FROM tags');
  });

  test('never gives out an id again', async () => {
    const add = `${insert('tags', { name: 'new', ...stamps })} RETURNING id`;
    const nextId = async () => Number((await garden.rows(add))[0]?.['id']);
    const first = await nextId();
    await garden.run('DELETE FROM tags');
    expect(await nextId()).toBe(first + 1);
  });
});

/** A payment restricts the deletion of its customer, and is deleted with its order. */
const order = model('Order', {
  relations: [relation('customer', 'User', { onDelete: at('cascade') })],
});
const parcel = model('Parcel', {
  relations: [relation('customer', 'User', { onDelete: at('cascade') })],
});
const customer = relation('customer', 'User');
const ofOrder = relation('order', 'Order', { onDelete: at('cascade') });
const ofParcel = relation('parcel', 'Parcel');

describe.each(['sqlite', 'postgres'] as const)('a restricting key on %s', (engine) => {
  test.each([
    ['a chain', [order, model('Payment', { relations: [customer, ofOrder] })]],
    ['a chain in the other order', [order, model('Payment', { relations: [ofOrder, customer] })]],
    ['two chains', [order, parcel, model('Payment', { relations: [ofOrder, ofParcel] })]],
    [
      'two chains in the other order',
      [parcel, order, model('Payment', { relations: [ofParcel, ofOrder] })],
    ],
  ])('gives way when %s deletes both rows', async (_, models) => {
    const database = await openDatabase(engine);
    const app = buildApp(schemaOf(models, { database: at(engine) }));
    await database.migrate(tablesSql(app));
    const ann = { id: 1, name: 'Ann', email: 'ann@example.test', password: 'x' };
    await database.run(insert('users', { ...ann, ...stamps }));
    for (const { table, fields } of app.models.slice(1)) {
      const keys = fields
        .filter(({ role }) => role === 'key')
        .map(({ name }) => [name, 1] as const);
      await database.run(insert(table, { id: 1, ...Object.fromEntries(keys), ...stamps }));
    }
    await database.run('DELETE FROM users');
    expect(await database.rows('SELECT * FROM payments')).toEqual([]);
    await database.close();
  });
});

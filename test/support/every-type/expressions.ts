/**
 * Code of an owner's, for `src/expressions.ts` of the project `every-type`: three rows, and questions about them. What a
 * question answers is the same on both engines; what PostgreSQL answers, it answers.
 */
export const expressions = `import { type Insertable, sql } from 'kysely';
import type { Database } from './database/client.ts';
import type { Tables } from './database/tables.ts';

const at = '2026-01-02T03:04:05.000Z';

const id = (digit: number) => \`00000000-0000-7000-8000-00000000000\${digit}\`;

export async function fill(database: Database): Promise<void> {
  await database
    .insertInto('people')
    .values({
      name: 'Ann',
      email: ' ANN@example.test ',
      password: '-',
      birthday: '1990-02-28',
      badge: 'AB-12',
      created_at: at,
      updated_at: at,
    })
    .execute();
  const row = {
    story: 'Long',
    catalogued_on: '2026-01-01',
    keeper_id: 1,
    created_at: at,
    updated_at: '2026-01-02T04:04:05+01:00',
  };
  const exhibits: readonly Insertable<Tables['museum_exhibits']>[] = [
      {
        ...row,
        id: id(1).toUpperCase(),
        name: 'Axe',
        catalogue_number: '9007199254740993',
        value: '4.5',
        share: '0.5',
        fragile: true,
        opens_at: '09:30',
        arrived_at: '2026-03-01T10:00:00+02:00',
        ticket: id(7).toUpperCase(),
        notes: { b: 1, a: 'x' },
        photo: 'AAEC',
        serial_no: 'A-1',
      },
      {
        ...row,
        id: id(2),
        name: 'Bowl',
        catalogue_number: '12',
        value: '10',
        fragile: false,
        opens_at: '10:00:00.5',
        arrived_at: '2026-03-01T09:00:00Z',
        ticket: id(8),
        notes: '"quoted"',
        serial_no: 'B-2',
      },
      {
        ...row,
        id: id(3),
        name: 'Coin',
        catalogue_number: '7',
        appraisal: '-0.05',
        on_display: false,
        arrived_at: '2025-12-31T23:00:00.000Z',
        ticket: id(9),
        serial_no: 'C-3',
      },
  ];
  for (const exhibit of exhibits) {
    await database.insertInto('museum_exhibits').values(exhibit).execute();
  }
}

const keys = [
  'id',
  'name',
  'story',
  'catalogue_number',
  'catalogued_on',
  'arrived_at',
  'ticket',
  'serial_no',
  'keeper_id',
  'created_at',
  'updated_at',
  'value',
] as const;

export const reads = {
  'whole rows': (db: Database) =>
    db
      .selectFrom('museum_exhibits')
      .select(['id', 'value', 'share', 'fragile', 'on_display', 'catalogue_number', 'notes'])
      .select(['photo', 'opens_at', 'arrived_at', 'settings', 'updated_at', 'appraisal'])
      .orderBy('name'),
  'columns that sql names': (db: Database) =>
    db
      .selectFrom('museum_exhibits')
      .select([
        sql<string>\`value\`.as('value'),
        sql.ref<boolean>('fragile').as('fragile'),
        sql<string>\`catalogue_number\`.as('catalogue_number'),
      ])
      .orderBy('name'),
  'functions of a decimal': (db: Database) =>
    db
      .selectFrom('museum_exhibits')
      .select(({ fn, val }) => [
        fn.max('value').as('most'),
        fn.min('value').as('least'),
        fn.sum('value').as('sum'),
        fn.coalesce('value', 'appraisal', val('0')).as('some'),
        fn('nullif', ['value', val('4.50')]).as('other'),
        fn.count('value').as('count'),
      ])
      .groupBy(['value', 'appraisal'])
      .orderBy('some'),
  'functions of every other type': (db: Database) =>
    db
      .selectFrom('museum_exhibits')
      .select(({ fn, val }) => [
        fn.coalesce('fragile', val(false)).as('fragile'),
        fn.coalesce('photo', val('AAEC')).as('photo'),
        fn.coalesce('closes_at', val('18:00')).as('closes_at'),
        fn.coalesce('restored_at', val('2026-01-01T01:00:00+01:00')).as('restored_at'),
        fn.max('catalogue_number').over((over) => over.orderBy('name')).as('largest'),
        fn.max('arrived_at').over((over) => over.orderBy('name')).as('latest'),
      ])
      .orderBy('name'),
  'a sum and a difference': (db: Database) =>
    db
      .selectFrom('museum_exhibits')
      .select((eb) => [
        eb('value', '+', '0.25').as('more'),
        eb(eb.fn.coalesce('appraisal', eb.val('0')), '-', eb.ref('value')).as('less'),
      ])
      .orderBy('name'),
  'a case': (db: Database) =>
    db
      .selectFrom('museum_exhibits')
      .select((eb) => [
        eb.case().when('value', '>', '5').then(eb.ref('value')).else('5').end().as('at_least'),
        eb.case('value').when('4.5').then('this').else('other').end().as('which'),
        eb.case().when('fragile', '=', true).then('yes').else('no').end().as('word'),
      ])
      .orderBy('name'),
  'comparisons of a decimal': (db: Database) =>
    db
      .selectFrom('museum_exhibits as e')
      .select('e.name')
      .where('e.value', '>', '4.5')
      .where('e.value', 'in', ['4.5', '10'])
      .where((eb) => eb.between('e.value', '4', '10.00'))
      .where((eb) => eb(eb.val('11'), '>', eb.ref('e.value')))
      .where('value', 'is distinct from', '4.50'),
  'comparisons of other types': (db: Database) =>
    db
      .selectFrom('museum_exhibits')
      .select('name')
      .where('ticket', '=', id(7).toUpperCase())
      .where('arrived_at', '=', '2026-03-01T08:00:00Z')
      .where('catalogue_number', '=', '9007199254740993')
      .where('fragile', '=', true)
      .where('opens_at', 'in', ['09:30', '11:00']),
  'a join': (db: Database) =>
    db
      .selectFrom('people')
      .innerJoin('museum_exhibits as e', 'e.keeper_id', 'people.id')
      .select(['people.email', 'e.value', 'e.name'])
      .where('email', '=', 'Ann@Example.test')
      .where('e.value', '<', '5'),
  having: (db: Database) =>
    db
      .selectFrom('museum_exhibits')
      .select(['fragile', (eb) => eb.fn.max('value').as('most')])
      .groupBy('fragile')
      .having((eb) => eb.fn.max('value'), '>', '4.25')
      .orderBy('most'),
  'a subquery': (db: Database) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom('museum_exhibits')
          .select(['name', 'value as price', (it) => it.fn.coalesce('value', it.val('1')).as('any')])
          .as('found'),
      )
      .selectAll()
      .where('found.any', '<', '5')
      .orderBy('any'),
  'a scalar subquery': (db: Database) =>
    db
      .selectFrom('people')
      .select((eb) => [
        eb
          .selectFrom('museum_exhibits as e')
          .select((it) => it.fn.max('e.value').as('most'))
          .whereRef('e.keeper_id', '=', 'people.id')
          .as('most'),
      ])
      .where(
        (eb) => eb.selectFrom('museum_exhibits').select((it) => it.fn.min('value').as('least')),
        '=',
        '4.5',
      ),
  'common tables': (db: Database) =>
    db
      .with('prices(price, title)', (eb) =>
        eb.selectFrom('museum_exhibits').select(['value as price', 'name as title']),
      )
      .with('top', (eb) => eb.selectFrom('prices').select((it) => it.fn.max('price').as('best')))
      .selectFrom(['prices', 'top'])
      .selectAll()
      .where('price', '<', '10')
      .where('best', '>', '9.99'),
  'a common table that hides a table': (db: Database) =>
    db
      .with('museum_exhibits', (eb) =>
        eb.selectFrom('people').select(['level as value', 'created_at as arrived_at']),
      )
      .selectFrom('museum_exhibits')
      .selectAll(),
  'a recursive common table': (db: Database) =>
    db
      .withRecursive('steps(price, step)', (eb) =>
        eb
          .selectFrom('museum_exhibits')
          .select((it) => [it('value', '+', '0').as('price'), sql<number>\`1\`.as('step')])
          .where('name', '=', 'Axe')
          .unionAll(
            eb
              .selectFrom('steps')
              .select((it) => [it('price', '+', '1.5').as('price'), sql<number>\`step + 1\`.as('step')])
              .where('price', '<', '9'),
          ),
      )
      .selectFrom('steps')
      .selectAll()
      .orderBy('step'),
  'a union': (db: Database) =>
    db
      .selectFrom('museum_exhibits')
      .select(['value', 'catalogue_number'])
      .where('value', '=', '4.5')
      .union(
        db
          .selectFrom('museum_exhibits')
          .select(['value', 'catalogue_number'])
          .where('value', '=', '10'),
      )
      .orderBy('value'),
  'a column of another name': (db: Database) =>
    db
      .selectFrom('museum_exhibits')
      .select(({ fn }) => fn.countAll().as('value'))
      .having(({ fn }) => fn.countAll(), '>', 1),
  'queries of the database inside of others': (db: Database) =>
    db
      .selectFrom('museum_exhibits')
      .select('name')
      .where(
        'value',
        'in',
        db.selectFrom('museum_exhibits').select('value').where('value', 'in', ['4.5', '10']),
      )
      .where((eb) =>
        eb.exists(db.selectFrom('museum_exhibits').select('id').where('photo', '=', 'AAEC')),
      )
      .orderBy('name'),
};

export const writes = {
  'what is returned': (db: Database) =>
    db
      .updateTable('museum_exhibits')
      .set((eb) => ({ value: eb('value', '+', '0.5'), fragile: false, notes: { now: [1] } }))
      .where('value', '=', '4.5')
      .returning(['value', 'fragile', 'notes', (eb) => eb.fn.coalesce('value', 'appraisal').as('any')]),
  'an insert of what is found': (db: Database) =>
    db
      .insertInto('hall_plans')
      .columns(['drawing', 'scale', 'hall_id'])
      .expression((eb) =>
        eb
          .selectFrom('museum_exhibits')
          .select((it) => [it.fn.coalesce('photo', it.val('AAEC')).as('d'), it.lit(2).as('s'), it.lit(1).as('h')])
          .where('name', '=', 'Nothing'),
      )
      .returning('drawing'),
  'an upsert': (db: Database) =>
    db
      .insertInto('museum_exhibits')
      .columns(keys)
      .expression((eb) =>
        eb
          .selectFrom('museum_exhibits')
          .select(keys)
          .where('name', '=', 'Bowl'),
      )
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet((eb) => ({ value: eb('excluded.value', '+', '0.25') })),
      )
      .returning(['name', 'value']),
};

/** What SQLite would calculate with units. */
export const refused = {
  'an average': (db: Database) =>
    db.selectFrom('museum_exhibits').select(({ fn }) => fn.avg('value').as('mean')),
  'a product': (db: Database) =>
    db.selectFrom('museum_exhibits').select((eb) => eb('value', '*', '2').as('twice')),
  'a cast': (db: Database) =>
    db.selectFrom('museum_exhibits').select((eb) => eb.cast<string>('value', 'text').as('text')),
  'a function': (db: Database) =>
    db.selectFrom('museum_exhibits').select((eb) => eb.fn<number>('round', ['value']).as('round')),
  'another scale': (db: Database) =>
    db.selectFrom('museum_exhibits').select('name').whereRef('value', '>', 'share'),
  'a whole number': (db: Database) =>
    db.selectFrom('museum_exhibits').select('name').whereRef('value', '>', 'pieces'),
  'a column of another scale': (db: Database) =>
    db.updateTable('museum_exhibits').set((eb) => ({ value: eb.ref('share') })),
  'a row of values': (db: Database) =>
    db
      .selectFrom('museum_exhibits')
      .select('name')
      .where((eb) => eb(eb.refTuple('value', 'name'), 'in', [eb.tuple('4.5', 'Axe')])),
  'a column of a common table': (db: Database) =>
    db
      .with('t', (eb) => eb.selectFrom('museum_exhibits').select('value as price'))
      .selectFrom('t')
      .select(({ fn }) => fn.avg('price').as('mean')),
  'an insert of another scale': (db: Database) =>
    db
      .insertInto('museum_exhibits')
      .columns(['value'])
      .expression((eb) => eb.selectFrom('museum_exhibits').select('share')),
};
`;

import { Client } from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { say } from '../support/say.ts';
import { openProject, type Project } from './postgres/project.ts';
import { evolved, historyOf } from './support/history.ts';

const schema = (fields: string, prices = `['low', 'mid', '$']`) => `enums: { Price: ${prices} }
models: { Item: { timestamps: false, fields: { title: string, ${fields} } } }
`;
const first = historyOf('postgres', [schema('k: Price, qty: int?')]);
const required = evolved(first, schema('k: Price, qty: { type: int, backfill: 0 }'));
const renamed = evolved(
  first,
  schema('k: Price, qty: int?', `['low', { value: '$$', was: mid }, '$']`),
);
const swapped = evolved(
  first,
  schema('k: Price, qty: int?', `['low', { value: '$', was: mid }, { value: mid, was: '$' }]`),
);
const round = evolved(
  first,
  schema(
    'k: Price, qty: { type: int, backfill: 9 }',
    `[{ value: '$$', was: low }, { value: low, was: mid }, '$']`,
  ),
);

let project: Project;

afterEach(() => project.close());

async function openItems(count: number, own = ''): Promise<void> {
  project = await openProject(first);
  await project.up();
  await project.client.query(`
    INSERT INTO items (title, k) SELECT n, (ARRAY['low', 'mid', '$'])[n % 3 + 1] FROM generate_series(1, ${count}) AS n;
    ${own}`);
}

async function rows(sql: string): Promise<readonly unknown[]> {
  return (await project.client.query({ text: sql, rowMode: 'array' })).rows;
}

/** Writes rows, old and new, as the code before the migration does; returns the failures and the longest wait. */
async function writeMeanwhile(count: number, work: () => Promise<unknown>) {
  const client = new Client({ connectionString: project.url });
  await client.connect();
  const failures: string[] = [];
  const end = new AbortController();
  let [writes, longest] = [0, 0];
  const write = async () => {
    while (!end.signal.aborted) {
      const id = 1 + Math.floor(Math.random() * count);
      const start = performance.now();
      await client
        .query(`UPDATE items SET title = 'written' WHERE id = ${id}`)
        .catch((error: Error) => failures.push(error.message));
      longest = Math.max(longest, performance.now() - start);
      writes += 1;
    }
  };
  const writing = write();
  await work().finally(() => end.abort());
  await writing;
  await client.end();
  return { failures, writes, longest: Math.round(longest) };
}

describe('rows that are filled in', () => {
  test.each([
    ['a field that is required', required, 'SELECT count(*)::int FROM items WHERE qty = 0'],
    ['a value with a new name', renamed, `SELECT 3 * count(*)::int FROM items WHERE k = '$$'`],
  ])('%s: what others write in the meantime does not fail', async (what, history, query) => {
    const count = 30_000;
    await openItems(count);
    await project.put(history);
    const { failures, writes, longest } = await writeMeanwhile(count, () => project.up());
    say(`${what}: ${writes} writes beside ${count} rows, the longest ${longest} ms`);
    expect(failures).toEqual([]);
    expect(writes).toBeGreaterThan(50);
    expect(await rows(query)).toEqual([[count]]);
    expect(await project.drift(history)).toEqual([]);
  });

  test.each([
    ['a field that is required', required],
    ['a value with a new name', renamed],
    ['two values that swap names', swapped],
  ])('%s: triggers of the owner do not fire, and stay', async (_, history) => {
    await openItems(
      9,
      `CREATE TABLE heard (text text);
      CREATE FUNCTION hear() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO heard VALUES (TG_NAME);
        IF old.id = 3 THEN RETURN NULL; END IF;
        new.title := 'heard';
        RETURN new; END $$;
      CREATE TRIGGER "some times" BEFORE UPDATE ON items FOR EACH ROW EXECUTE FUNCTION hear();
      CREATE TRIGGER always AFTER UPDATE ON items FOR EACH ROW EXECUTE FUNCTION hear();
      ALTER TABLE items ENABLE ALWAYS TRIGGER always;
      CREATE TRIGGER never AFTER UPDATE ON items FOR EACH ROW EXECUTE FUNCTION hear();
      ALTER TABLE items DISABLE TRIGGER never;`,
    );
    const triggers = `SELECT tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1`;
    const before = await rows(triggers);
    await project.put(history);
    await project.up();
    expect(await rows('SELECT * FROM heard')).toEqual([]);
    expect(await rows(triggers)).toEqual(before);
    expect(await rows(`SELECT title FROM items WHERE title = 'heard'`)).toEqual([]);
    const drift = await project.drift(history);
    expect(drift.filter(({ kind }) => kind !== 'extra')).toEqual([]);
    await project.client.query('UPDATE items SET qty = 1 WHERE id = 1');
    expect(await rows('SELECT text FROM heard ORDER BY 1')).toEqual([['always'], ['some times']]);
  });

  test('a rule of the owner that keeps values from being written stops the migration', async () => {
    await openItems(
      9,
      'CREATE RULE mine AS ON UPDATE TO items WHERE old.id = 3 DO INSTEAD NOTHING',
    );
    await project.put(required);
    await expect(project.up()).rejects.toThrow(
      'a rule of yours may change what is written: mine on items',
    );
    await project.client.query('DROP RULE mine ON items');
    await project.up();
    expect(await rows('SELECT count(*)::int FROM items WHERE qty = 0')).toEqual([[9]]);
  });

  test('rows that are written between the two passes get their values, too', async () => {
    await openItems(9);
    await project.put(required);
    const id = required.migrations.at(-1)?.id;
    await project.edit(`${id}/up.sql`, (sql) =>
      sql.replace(/^-- step 2 .*$/m, `$&\nINSERT INTO items (title, k) VALUES ('late', 'low');`),
    );
    await project.up();
    expect(await rows(`SELECT qty FROM items WHERE title = 'late'`)).toEqual([[0]]);
  });
});

const late = (value: string, qty: number | null = null) =>
  `INSERT INTO items (title, k, qty) VALUES ('late', '${value}', ${qty});`;
const upOf = ({ migrations }: typeof round) => `${migrations.at(-1)?.id}/up.sql`;

/** Makes the run fail before the step, and then writes, as code that goes on between two attempts would. */
async function meanwhile(index: number, sql: string): Promise<void> {
  const total = String(round.migrations.at(-1)?.files['up.sql']).match(/^-- step/gm)?.length;
  const line = `-- step ${index + 1} of ${total}: `;
  await project.put(round);
  await project.edit(upOf(round), (text) =>
    text.replace(new RegExp(`^${line}.*$`, 'm'), `${line}one transaction\nSELECT 1 / 0;`),
  );
  await expect(project.up()).rejects.toThrow(`failed at step ${index + 1} of ${total}`);
  await project.client.query(sql);
  await project.put(round);
}

describe('values that exchange names in a circle', () => {
  test.each(['low', 'mid', '$'])(
    'a row with `%s` that is written between two steps never blocks a retry',
    async (value) => {
      await openItems(9);
      await project.put(round);
      const up = String(round.migrations.at(-1)?.files['up.sql']);
      const steps = up.split(/^(?=-- step \d+ of \d+: )/m).slice(1);
      const exchange = steps.findIndex((step) => step.includes('LOCK TABLE'));
      expect(exchange).toBeGreaterThan(1);
      for (let index = 1; index <= exchange; index += 1) {
        // The rule for the other field already applies before the values are exchanged.
        await meanwhile(index, late(value, index === 1 ? null : 9));
      }
      await project.up();
      const now = { low: '$$', mid: 'low', $: '$' }[value];
      const written = `SELECT k, qty, count(*)::int FROM items WHERE title = 'late' GROUP BY 1, 2`;
      expect(await rows(written)).toEqual([[now, 9, exchange]]);
      expect((await project.drift(round)).filter(({ kind }) => kind !== 'extra')).toEqual([]);
    },
  );

  test('a mere exchange is one step, and its CHECK stays', () => {
    const sql = String(swapped.migrations.at(-1)?.files['up.sql']);
    expect(sql).toContain('LOCK TABLE items IN SHARE ROW EXCLUSIVE MODE;');
    expect(sql).not.toMatch(/CONSTRAINT/);
  });

  test('a value that is neither old nor new is reported with its row, and the advice works', async () => {
    await openItems(9);
    await project.put(round);
    await meanwhile(1, late('nonsense'));
    await expect(project.up()).rejects.toThrow(
      /items_k_check.*id 10.*Change those rows.*npm run db:migrate/s,
    );
    await project.client.query(`UPDATE items SET k = '$' WHERE title = 'late'`);
    await project.up();
    expect(await rows(`SELECT k, qty FROM items WHERE title = 'late'`)).toEqual([['$', 9]]);
  });
});

import { afterEach, describe, expect, test } from 'vitest';
import { addBooks, countBooks, firstBooks, laterBooks, migratedBooks } from './postgres/books.ts';
import { openProject, type Project } from './postgres/project.ts';
import { evolved, miswritten } from './support/history.ts';

const [initial, next] = laterBooks.migrations;
if (initial === undefined || next === undefined) throw new Error('two migrations were expected');
const { id } = next;
const up = next.files['up.sql'];
const steps = Number(/^-- step 1 of (\d+)/m.exec(up)?.[1]);

let project: Project;

afterEach(() => project.close());

async function openBooks(count = 300): Promise<void> {
  project = await openProject(firstBooks);
  await project.up();
  await addBooks(project.client, count);
  await project.put(laterBooks);
}

/** The schema is what a new database gets, every row is there, and no trace of the steps is left. */
async function expectMigrated(count = 300): Promise<void> {
  expect(await project.drift(laterBooks)).toEqual([]);
  expect(await countBooks(project.client)).toEqual(migratedBooks(count));
  expect(await project.applied()).toEqual([initial?.id, id]);
  expect(await project.progress()).toEqual([]);
}

test('the first migration, too, is reported as under way when it is to be taken back', async () => {
  project = await openProject(firstBooks);
  await project.edit(`${initial.id}/up.sql`, (sql) =>
    [
      `-- step 1 of 2: one transaction\n${sql}`,
      '-- step 2 of 2: one transaction\nSELECT 1 / 0;',
    ].join('\n'),
  );
  await expect(project.up()).rejects.toThrow('failed at step 2 of 2: division by zero');
  await expect(project.down()).rejects.toThrow(
    `${initial.id} is under way: \`npm run db:migrate\` ended after step 1 of it.`,
  );
});

describe('a migration of several steps', () => {
  test('takes its steps one by one and reports each', async () => {
    await openBooks();
    expect(steps).toBeGreaterThan(4);
    const told = Array.from({ length: steps }, (_, at) => `${id}, step ${at + 1} of ${steps}.`);
    expect(await project.up()).toEqual(told);
    await expectMigrated();
    expect(await project.up()).toEqual([]);
  });

  test('goes on where a statement failed, whichever it was', async () => {
    await openBooks();
    const places = [0, ...statementEnds(up)];
    expect(places.length).toBeGreaterThan(10);
    for (const place of places) {
      const done = Math.max([...up.slice(0, place).matchAll(/^-- step /gm)].length - 1, 0);
      const broken = `${up.slice(0, place)}\n\nSELECT 1 / 0;\n\n${up.slice(place)}`;
      await project.edit(`${id}/up.sql`, () => broken);
      await expect(project.up(), broken).rejects.toThrow(/division by zero/);
      expect(await project.applied()).toEqual([initial.id]);
      const row = { id, command: 'db:migrate', done };
      expect(await project.progress(), broken).toEqual(done === 0 ? [] : [row]);
      if (done === 0) expect(await project.drift(firstBooks)).toEqual([]);
    }
    await project.put(laterBooks);
    expect(await project.up()).toEqual([`${id}, step ${steps} of ${steps}.`]);
    await expectMigrated();
  });

  test('may be edited where it failed, but not in steps that are done', async () => {
    await openBooks();
    const last = `-- step ${steps} of ${steps}: outside of a transaction`;
    await project.edit(`${id}/up.sql`, (sql) => sql.replace(last, `${last}\nSELECT 1 / 0;`));
    await expect(project.up()).rejects.toThrow(
      `Migration ${id} failed at step ${steps} of ${steps}: division by zero\nWhat was done before it stays.`,
    );
    await project.edit(`${id}/up.sql`, (sql) =>
      sql.replace('ALTER TABLE', 'ALTER TABLE IF EXISTS'),
    );
    await expect(project.up()).rejects.toThrow(
      /first \d steps were edited after they had been done/,
    );
    await project.put(laterBooks);
    await project.edit(`${id}/up.sql`, (sql) => `${sql}\nANALYZE books;\n`);
    await project.up();
    await expectMigrated();
  });

  test('could not go on without a record of what is done', async () => {
    await openBooks();
    await project.edit(`${id}/up.sql`, (sql) => `${sql}\nSELECT 1 / 0;\n`);
    await expect(project.up()).rejects.toThrow('division by zero');
    await project.put(laterBooks);
    await project.client.query('DELETE FROM schema_migration_steps');
    await expect(project.up()).rejects.toThrow(`Migration ${id} failed and was undone`);
  });
});

describe('before a migration is done', () => {
  test('rows that do not allow it stop it, and nothing has changed', async () => {
    await openBooks();
    await project.client.query('UPDATE books SET pages = 7 WHERE pages < 10');
    await expect(project.up()).rejects.toThrow(
      `Migration ${id} cannot be applied because of rows in the database; nothing was changed:\n  SCF423 Book.pages, 9 rows: Rows with the same \`Book.pages\` must be fixed first.\nChange those rows; or write into `,
    );
    expect(await project.progress()).toEqual([]);
    expect(await project.drift(firstBooks)).toEqual([]);
  });

  test('rows that cannot be counted stop it, and nothing has changed', async () => {
    await openBooks();
    await project.client.query('ALTER TABLE books RENAME pages TO leaves');
    await expect(project.up()).rejects.toMatchObject({
      name: 'MigrationError',
      message: `Migration ${id} failed and was undone: column "pages" does not exist`,
    });
  });

  test('rows that it would delete unintentionally stop it', async () => {
    const longer = evolved(
      firstBooks,
      'models: { Book: { fields: { title: "string(..120)", stars: int?, shelf: int = 2, pages: int } } }',
    );
    project = await openProject(firstBooks);
    await project.up();
    await addBooks(project.client, 300);
    await project.put(miswritten(longer, (sql) => `${sql}DELETE FROM books WHERE pages <= 5;\n`));
    await expect(project.up()).rejects.toThrow(/undone: It would delete 5 rows of books/);
    expect(await project.drift(firstBooks)).toEqual([]);
    await project.edit(`${longer.migrations.at(-1)?.id}/up.sql`, (sql) => `${sql}SELECT 1;\n`);
    await project.up();
    const { rows } = await project.client.query('SELECT count(*)::int AS books FROM books');
    expect(rows).toEqual([{ books: 295 }]);
  });

  test('rows that one migration deletes are not blamed on the next', async () => {
    const fields = 'title: "string(..120)", stars: int?, shelf: int = 2, pages: int';
    const longer = evolved(firstBooks, `models: { Book: { fields: { ${fields} } } }`);
    const wider = evolved(
      longer,
      `models: { Book: { fields: { ${fields}, lent: bool = false } } }`,
    );
    project = await openProject(firstBooks);
    await project.up();
    await addBooks(project.client, 300);
    await project.put(wider);
    const edited = longer.migrations.at(-1)?.id;
    await project.edit(`${edited}/up.sql`, (sql) => `${sql}DELETE FROM books WHERE pages <= 5;\n`);
    const said = await project.up();
    expect(said.filter((line) => line.includes('deletes'))).toEqual([
      `${edited}, whose SQL was edited, deletes 5 rows of books.`,
    ]);
    expect(await project.drift(wider)).toEqual([]);
  });

  test('the result has to be what the schema says', async () => {
    await openBooks();
    await project.client.query('ALTER TABLE books ALTER COLUMN shelf SET DEFAULT 3');
    await project.client.query('CREATE TABLE ledger (entry text)');
    await expect(project.up()).rejects.toThrow(
      `failed at step ${steps} of ${steps}: The database would not be what migrations/schema.sql says:\n  The column books.shelf is \`integer not null default 3\` and not \`integer not null default 1\`.\n`,
    );
    expect(await project.applied()).toEqual([initial.id]);
    await project.client.query('ALTER TABLE books ALTER COLUMN shelf SET DEFAULT 1');
    expect(await project.up()).toEqual([`${id}, step ${steps} of ${steps}.`]);
    expect(await countBooks(project.client)).toEqual(migratedBooks(300));
    expect(await project.drift(laterBooks)).toEqual([{ kind: 'extra', object: 'table ledger' }]);
  });
});

/** Where each statement ends; what a block does is one statement. */
function statementEnds(sql: string): readonly number[] {
  const ends = [...sql.matchAll(/^DO \$\$[\s\S]*?^END \$\$;|;$/gm)];
  return ends.map((match) => match.index + match[0].length);
}

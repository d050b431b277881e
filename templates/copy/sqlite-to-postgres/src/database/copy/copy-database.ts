import { Client } from 'pg';
import { MigrationError } from '../migrate.ts';
import { inTransaction } from '../postgres-driver.ts';
import { passageOf } from './passages.ts';
import { startSum, type Sum } from './row-sum.ts';
import { openSource, type Source } from './source.ts';
import { listTables, type Table } from './target-tables.ts';
import { checkKeys, continueIds, insertRows, looseKeys, readBack } from './target.ts';

export interface Copied {
  readonly tables: readonly CopiedTable[];
  /** Tables and columns of the source that the target does not have. */
  readonly left: readonly string[];
}

export interface CopiedTable extends Sum {
  readonly name: string;
}

/**
 * Copies every row of a SQLite file into a PostgreSQL database that has its tables already, and no rows in them. All of
 * it is one transaction, at whose end each table is read back and compared. Throws a MigrationError when that cannot be.
 */
export async function copyDatabase(
  from: string,
  to: string,
  report: Report = () => {},
): Promise<Copied> {
  const source = await openSource(from);
  try {
    return await withClient(to, (client) =>
      inTransaction(client, () => copy(source, client, report)),
    );
  } finally {
    source.close();
  }
}

/** A session of its own, not of the pool; it ends with the work. */
async function withClient<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  // The query that is under way fails as well; without a listener the event would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Hears how far it is, a sentence at a time. */
type Report = (line: string) => void;

async function copy(source: Source, client: Client, report: Report): Promise<Copied> {
  const tables = await listTables(client);
  await refuseRows(tables, client);
  const keys = await looseKeys(client);
  const sums = new Map<Table, Sum>();
  for (const table of tables) {
    const sum = await copyTable(table, source, client);
    if (sum.rows > 0) report(`Copied ${sum.rows} rows of ${table.name}.`);
    sums.set(table, sum);
  }
  report('Reading back what PostgreSQL has.');
  await checkKeys(keys, client);
  for (const [table, sum] of sums) await compare(shared(table, source), sum, client);
  // PostgreSQL finds out how many rows there are by itself, but only after a minute of slow lists.
  for (const { sql } of tables) await client.query(`analyze ${sql}`);
  return {
    tables: [...sums].map(([{ name }, sum]) => ({ name, ...sum })),
    left: leftBehind(tables, source),
  };
}

async function refuseRows(tables: readonly Table[], client: Client): Promise<void> {
  for (const { name, sql } of tables) {
    const { rows } = await client.query(`select 1 from ${sql} limit 1`);
    if (rows.length === 0) continue;
    throw new MigrationError(
      `The table ${name} of the new database has rows already. Nothing was copied: rows are copied into an empty database only.`,
    );
  }
}

async function copyTable(table: Table, source: Source, client: Client): Promise<Sum> {
  const { name, columns, sql } = shared(table, source);
  if (columns.length === 0) return startSum().result();
  const passages = columns.map(passageOf);
  const sum = startSum();
  const size = Math.floor(20_000 / columns.length);
  for (const rows of source.batches(name, { columns: columns.map((it) => it.name), size })) {
    for (const row of rows) sum.add(row.map((value, at) => passages[at]?.stored(value) ?? null));
    const values = rows.map((row) => row.map((value, at) => passages[at]?.to(value) ?? null));
    await insertRows({ name, columns, sql }, values, client);
  }
  if (columns.some(({ isCounted }) => isCounted)) {
    await continueIds(name, source.lastId(name), client);
  }
  return sum.result();
}

async function compare(table: Table, expected: Sum, client: Client): Promise<void> {
  const passages = table.columns.map(passageOf);
  const sum = startSum();
  for await (const rows of readBack(table, client)) {
    for (const row of rows) sum.add(row.map((text, at) => passages[at]?.canonical(text) ?? null));
  }
  const found = sum.result();
  if (found.rows === expected.rows && found.checksum === expected.checksum) return;
  throw new MigrationError(
    `The rows of ${table.name} are not the same on both sides: ${expected.rows} rows, ${expected.checksum}, became ${found.rows} rows, ${found.checksum}. Nothing was copied.`,
  );
}

/** The table with the columns that both sides have; the others get their defaults. */
function shared(table: Table, source: Source): Table {
  const there = new Set(source.tables.get(table.name));
  return { ...table, columns: table.columns.filter(({ name }) => there.has(name)) };
}

function leftBehind(tables: readonly Table[], source: Source): readonly string[] {
  return [...source.tables].flatMap(([name, columns]) => {
    const table = tables.find((it) => it.name === name);
    if (table === undefined) return [`the table ${name}`];
    const known = new Set(table.columns.map((column) => column.name));
    return columns.filter((it) => !known.has(it)).map((it) => `the column ${name}.${it}`);
  });
}

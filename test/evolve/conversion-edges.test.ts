import { afterAll, expect, test } from 'vitest';
import { compareTables } from '../../src/evolve/table-changes.ts';
import type { Column } from '../../src/evolve/tables/table.ts';
import { tablesSql } from '../../src/evolve/initial.ts';
import type { App } from '../../src/model/app.ts';
import { carryIds } from '../../src/model/carry.ts';
import { fieldTypes } from '../../src/types/all.ts';
import { scaleDecimal } from '../../src/types/numbers.ts';
import { appOf } from './support/app-of.ts';
import { openStore } from './support/open-store.ts';
import type { Store } from './support/store.ts';
import type { Engine } from '../../src/types/field-type.ts';

/** The edges of each type, in SQL that both engines read. */
const edges: Readonly<Record<string, readonly string[]>> = {
  text: texts([
    '0',
    '-0',
    '7',
    '-7',
    '007',
    '+7',
    ' 7',
    '7 ',
    '',
    '1.5',
    '-2.5e3',
    '1e100',
    '1e-100',
    '1e308',
    '1.7976931348623157e308',
    '1.8e308',
    '1e400',
    '-1e400',
    '5e-324',
    '1e-400',
    '1e99999',
    '0e5',
    '0e400',
    '2147483647',
    '2147483648',
    '-2147483649',
    '9007199254740993',
    '9223372036854775807',
    '9223372036854775808',
    '-9223372036854775808',
    '-9223372036854775809',
    '0.1',
    '0.10',
    '.5',
    '1.',
    '0.1000000000000000055511151231257827',
    '12345678901234567890.12',
    '1234567890123456.78',
    '-0.05',
    '1.234',
    'NaN',
    'Infinity',
    'true',
    'TRUE',
    'false',
    't',
    '2023-02-29',
    '2024-02-29',
    '2024-02-30',
    '2024-04-31',
    '2024-00-10',
    '2024-13-01',
    '0001-01-01',
    '9999-12-31',
    '10000-01-01',
    '2100-02-29',
    '2000-02-29',
    '23:59:59.999',
    '23:59:60.000',
    '24:00:00.000',
    '9:30:00.000',
    '09:30:00',
    '2024-02-30T00:00:00.000Z',
    '2024-02-29T23:59:59.999Z',
    '2023-02-29T23:59:59.999Z',
    '2024-02-29T24:00:00.000Z',
    '2024-02-29 10:00:00',
    '------------------------------------',
    '0123456789abcdef0123456789abcdef0123',
    '01941F29-7C00-7000-8000-0000000000FF',
    '01941f297c007000-8000-00000000-00ffff',
    `it's`,
    '$$',
    '$1',
    'a\nb',
    '\u{1f642}',
    '{"a":1}',
  ]),
  int: ['0', '1', '2', '-1', '2147483647', '-2147483648'],
  bigint: [
    '0',
    '1',
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '9223372036854775807',
    '-9223372036854775807',
    '(-9223372036854775807 - 1)',
    '1152921504606846976',
    '9223372036854774784',
    '9223372036854774785',
    '999999999999999999',
    '1000000000000000000',
  ],
  float: [
    '0.0',
    '0.1',
    '0.5',
    '1.5',
    '2.5',
    '-0.5',
    '-1.5',
    '1.005',
    '-1.005',
    '1.25',
    '0.30000000000000004e0',
    '12345678901234.56e0',
    '1234567890123456e0',
    '1700000000.123456e0',
    '1234567890123.4568e0',
    '9007199254740991e0',
    '1234567890123456768e0',
    '9223372036854774784e0',
    '9223372036854775808e0',
    '-9223372036854775808e0',
    '1e300',
    '-1e300',
    '1e-300',
    '5e-324',
    '1e15',
    '1e16',
    '1e-5',
    '0.0001e0',
    '123456789012.345e0',
    '0.49999999999999994e0',
    '4503599627370496.5e0',
    '1e21',
    '100000000000000000e0',
    '99999999999999.995e0',
    '1e999',
    '-1e999',
  ],
  'decimal(18,2)': [
    '0.00',
    '0.01',
    '-0.01',
    '0.05',
    '-0.05',
    '9.95',
    '1.50',
    '2.50',
    '-2.50',
    '0.49',
    '9999999999999999.99',
    '-9999999999999999.99',
    '1234567890123456.78',
    '90071992547409.93',
    '10000000000000.00',
  ],
  'decimal(18,0)': ['0', '1', '999999999999999999', '123456789012345678', '9007199254740993'],
  bool: ['true', 'false'],
  date: texts(['2024-02-29', '0001-01-01', '9999-12-31', '1970-01-01']),
  time: texts(['00:00:00.000', '23:59:59.999', '09:30:00.000']),
  datetime: texts([
    '2024-02-29T23:59:59.999Z',
    '0001-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    '1969-12-31T00:00:00.000Z',
  ]),
  uuid: texts(['01941f29-7c00-7000-8000-0000000000ff', '00000000-0000-0000-0000-000000000000']),
};

const targets = [
  'text',
  'string(..5)',
  'int',
  'int(..6)',
  'bigint',
  'float',
  'decimal(18,0)',
  'decimal(18,2)',
  'decimal(18,6)',
  'decimal(18,18)',
  'decimal(3,1)',
  'bool',
  'date',
  'time',
  'datetime',
  'uuid',
];

const pairs = Object.keys(edges).flatMap((from) =>
  targets.filter((to) => to !== from).map((to) => [from, to] as const),
);

test.each(pairs)(
  'both engines convert the edges of %s to %s alike, and count what is lost',
  async (from, to) => {
    const sqlite = await convertEdges('sqlite', from, to);
    expect(await convertEdges('postgres', from, to)).toEqual(sqlite);
    // Numbers that are reported as kept are the same numbers.
    for (const [was, becomes, outcome] of sqlite) {
      if (outcome === 'kept' && isNumber(was) && isNumber(becomes)) {
        expect([was, exact(becomes, to === 'text' ? from : to)]).toEqual([was, exact(was, from)]);
      }
    }
  },
);

test('an engine that rounds on the way is caught', async () => {
  const sqlite = await convertEdges('sqlite', 'float', 'decimal(18,2)');
  expect(await convertEdges('postgres', 'float', 'decimal(18,2)', roundFloats)).not.toEqual(sqlite);
});

function roundFloats(sql: string): string {
  return sql.replaceAll('::text::numeric', '::numeric');
}

/** `kept`, `loses` or `misfit`. */
type Edge = readonly [was: string, becomes: string, outcome: string];

async function convertEdges(
  engine: Engine,
  from: string,
  to: string,
  spoil = (sql: string) => sql,
): Promise<readonly Edge[]> {
  const before = appWith(from, engine);
  const after = carryIds(before, appWith(to, engine));
  const table = compareTables({ before, after }).kept.find((it) => it.after.id === 'model:Note');
  const source = table?.columns.find((it) => it.after.name === 'it');
  if (source?.before === undefined) throw new Error('no column');
  const store = await storeOf(engine, from);
  const misfits = source.misfitSql?.('it') ?? 'false';
  const loses = source.lossSql?.('it') ?? 'false';
  const select = `
    SELECT ${spoil(asText('it', source.before, engine))} AS was,
      CASE WHEN ${misfits} THEN NULL ELSE ${spoil(asText(`(${castTo(source.value('it'), source.after, engine)})`, source.after, engine))} END AS becomes,
      CASE WHEN ${misfits} THEN 'misfit' WHEN ${loses} THEN 'loses' ELSE 'kept' END AS outcome
    FROM notes ORDER BY id`;
  const rows = await store.rows(spoil(select));
  return rows.map(({ was, becomes, outcome }) => [
    String(was),
    // A zero in a SQLite file has no sign.
    becomes === '-0' && to === 'float' ? '0' : String(becomes),
    String(outcome),
  ]);
}

/** A store with the edges of a type in its notes; they are only read, so one store serves all conversions. */
function storeOf(engine: Engine, from: string): Promise<Store> {
  const key = `${engine} ${from}`;
  const store = stores.get(key) ?? filledStore(engine, from);
  stores.set(key, store);
  return store;
}

const stores = new Map<string, Promise<Store>>();
afterAll(async () => {
  for (const store of stores.values()) await (await store).close();
});

async function filledStore(engine: Engine, from: string): Promise<Store> {
  const store = await openStore(engine);
  await store.run(tablesSql(appWith(from, engine)));
  const values = (edges[from] ?? []).map((value) => `(${engineValue(value, from, engine)})`);
  await store.run(`INSERT INTO notes (it) VALUES ${values.join(', ')}`);
  return store;
}

function castTo(value: string, { type }: Column, engine: Engine): string {
  return engine === 'postgres' ? `CAST(${value} AS ${type.replace(/ COLLATE.*/, '')})` : value;
}

function asText(value: string, { field: { type } }: Column, engine: Engine): string {
  const { kind } = type;
  if (engine === 'postgres') {
    if (kind === 'date') return `to_char(${value}, 'YYYY-MM-DD')`;
    if (kind === 'time') return `to_char(${value}, 'HH24:MI:SS.MS')`;
    if (kind === 'datetime')
      return `to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
    return `${value}::text`;
  }
  if (kind === 'bool') return `CASE ${value} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`;
  if (kind === 'float') return `float_text(${value})`;
  if (kind !== 'decimal') return `CAST(${value} AS text)`;
  if (type.scale === 0) return `CAST(${value} AS text)`;
  const unit = 10n ** BigInt(type.scale);
  return `CASE WHEN ${value} IS NOT NULL THEN printf('%s%d.%0${type.scale}d', CASE WHEN ${value} < 0 THEN '-' ELSE '' END, abs(${value}) / ${unit}, abs(${value}) % ${unit}) END`;
}

function engineValue(value: string, from: string, engine: Engine): string {
  if (engine === 'postgres')
    return value.endsWith('1e999') ? `'${value.startsWith('-') ? '-' : ''}Infinity'` : value;
  const scale = /^decimal\(\d+,(\d+)\)$/.exec(from)?.[1];
  if (from === 'bool') return value === 'true' ? '1' : '0';
  return scale === undefined ? value : String(scaleDecimal(value, Number(scale)));
}

function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?(e[-+]\d+)?$/.test(text);
}

/** A float that is a whole number counts as that number, whatever its shortest text says. */
function exact(text: string, type: string): bigint | undefined {
  const number = Number(text);
  const isWhole = type === 'float' && Number.isInteger(number) && Math.abs(number) <= 2 ** 63;
  return scaleDecimal(isWhole ? String(BigInt(number)) : text, 340);
}

function appWith(type: string, engine: Engine): App {
  const note = `Note: { timestamps: false, fields: { it: "${type}?" } }`;
  // The tables of accounts would take longer to make than all the rest.
  return appOf(`auth: none\nmodels: { ${note} }`, engine);
}

function texts(values: readonly string[]): readonly string[] {
  return values.map((value) => fieldTypes.text.sqlite.literal(value));
}

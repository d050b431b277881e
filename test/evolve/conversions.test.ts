import { describe, expect, test } from 'vitest';
import { tablesSql } from '../../src/evolve/initial.ts';
import { makeMigration } from '../../src/evolve/make-migration.ts';
import { carryIds } from '../../src/model/carry.ts';
import { fieldTypes } from '../../src/types/all.ts';
import type { Json, Engine, FieldType } from '../../src/types/field-type.ts';
import { appOf } from './support/app-of.ts';
import { asText } from './support/as-text.ts';
import { openStore } from './support/open-store.ts';

type Case = readonly [from: string, value: Json, to: string, result: string | null | Stop];

/** The migration is refused, and the value stays. */
interface Stop {
  readonly stops: true;
}
const stops: Stop = { stops: true };

const cases: readonly Case[] = [
  ['string', '42', 'int', '42'],
  ['string', '-7', 'int', '-7'],
  ['string', '007', 'int', stops],
  ['string', 'seven', 'int', stops],
  ['string', '', 'int', stops],
  ['string', '2147483648', 'int', stops],
  ['string', '2147483648', 'bigint', '2147483648'],
  ['string', '9223372036854775807', 'bigint', '9223372036854775807'],
  ['string', '9223372036854775808', 'bigint', stops],
  ['text', '1.5', 'float', '1.5'],
  ['text', '-2.5e3', 'float', '-2500'],
  ['text', 'NaN', 'float', stops],
  ['text', '-0.05', 'decimal(6,2)', '-0.05'],
  ['text', '12', 'decimal(6,2)', '12.00'],
  ['text', '9999.99', 'decimal(6,2)', '9999.99'],
  ['text', '12345.00', 'decimal(6,2)', stops],
  ['text', '1.234', 'decimal(6,2)', stops],
  ['text', '1e3', 'decimal(6,2)', stops],
  ['text', '12', 'decimal(6,0)', '12'],
  ['text', 'true', 'bool', 'true'],
  ['text', 'yes', 'bool', stops],
  ['text', '2024-02-29', 'date', '2024-02-29'],
  ['text', '29.2.2024', 'date', stops],
  ['text', '09:30:00.000', 'time', '09:30:00.000'],
  ['text', '25:00:00.000', 'time', stops],
  ['text', '2026-01-02T03:04:05.678Z', 'datetime', '2026-01-02T03:04:05.678Z'],
  ['text', 'today', 'datetime', stops],
  ['text', '01941F29-7C00-7000-8000-0000000000FF', 'uuid', '01941f29-7c00-7000-8000-0000000000ff'],
  ['text', 'no uuid', 'uuid', stops],
  ['text', `it's "so"`, 'json', `"it's \\"so\\""`],
  ['text', 'live', 'Status', 'live'],
  ['text', 'dead', 'Status', stops],
  ['text', 'abc', 'string(..3)', 'abc'],
  ['text', '🙂🙂🙂', 'string(..3)', '🙂🙂🙂'],
  ['text', 'abcd', 'string(..3)', stops],
  ['string(..9)', 'ab', 'string(3..9)', stops],
  ['text', 'ann@example.test', 'email', 'ann@example.test'],
  ['url', 'https://example.test/', 'text', 'https://example.test/'],
  ['int', 7, 'string', '7'],
  ['int', 7, 'bigint', '7'],
  ['int', 7, 'float', '7'],
  ['int', 7, 'decimal(6,2)', '7.00'],
  ['int', 10_000, 'decimal(6,2)', stops],
  ['int', 1, 'bool', 'true'],
  ['int', 2, 'bool', stops],
  ['int', 7, 'int(..6)', stops],
  ['int', 7, 'Status', stops],
  ['int', 7, 'date', null],
  ['bigint', '3000000000', 'int', stops],
  ['bigint', '9007199254740993', 'text', '9007199254740993'],
  ['bigint', '9007199254740993', 'decimal(18,0)', '9007199254740993'],
  ['float', 1.5, 'int', '2'],
  ['float', -1.5, 'int', '-2'],
  ['float', 0.1, 'text', '0.1'],
  ['float', 1e21, 'text', '1e+21'],
  ['float', 1.25, 'decimal(6,1)', '1.3'],
  ['float', 3_000_000_000, 'int', stops],
  ['decimal(6,2)', '9.95', 'decimal(6,1)', '10.0'],
  ['decimal(6,2)', '-9.95', 'decimal(6,1)', '-10.0'],
  ['decimal(6,2)', '-0.04', 'decimal(6,4)', '-0.0400'],
  ['decimal(6,2)', '99.99', 'decimal(3,1)', stops],
  ['decimal(6,2)', '1.50', 'int', '2'],
  ['decimal(6,2)', '-0.05', 'text', '-0.05'],
  ['decimal(6,0)', '5', 'text', '5'],
  ['decimal(6,2)', '1.25', 'float', '1.25'],
  ['bool', true, 'text', 'true'],
  ['bool', false, 'int', '0'],
  ['date', '2024-02-29', 'datetime', '2024-02-29T00:00:00.000Z'],
  ['date', '2024-02-29', 'text', '2024-02-29'],
  ['time', '09:30:00.000', 'text', '09:30:00.000'],
  ['datetime', '2026-01-02T23:04:05.678Z', 'date', '2026-01-02'],
  ['datetime', '2026-01-02T23:04:05.678Z', 'time', '23:04:05.678'],
  ['datetime', '2026-01-02T03:04:05.678Z', 'text', '2026-01-02T03:04:05.678Z'],
  ['uuid', '01941f29-7c00-7000-8000-0000000000ff', 'text', '01941f29-7c00-7000-8000-0000000000ff'],
  ['json', [1, null], 'bool', null],
  ['json', true, 'text', 'true'],
  ['bytes', 'aGVsbG8=', 'text', null],
  ['Status', 'live', 'text', 'live'],
  ['Status', 'live', 'Mood', 'live'],
  ['Status', 'draft', 'Mood', stops],
];

describe.each(['sqlite', 'postgres'] as const)('a value whose field changes on %s', (engine) => {
  test.each(cases)('%s %j → %s: %j', async (from, value, to, result) => {
    const before = appWith(from, engine);
    const after = carryIds(before, appWith(to, engine));
    const evolved = makeMigration(before, after, {
      sequence: 2,
      parent: '0001_initial',
      schemaText: '',
    });
    const store = await openStore(engine);
    await store.run(tablesSql(before));
    const types = { from: typeOf(before), to: typeOf(after) };
    const literal = fieldTypes[types.from.kind][engine].literal(value);
    await store.run(`INSERT INTO notes (it) VALUES (${literal}), (NULL)`);
    const read = async (type: FieldType) => {
      const rows = await store.rows(
        `SELECT ${asText('it', type, engine)} AS it FROM notes ORDER BY id`,
      );
      return rows.map((row) => row['it']);
    };
    const was = await read(types.from);
    const applied = evolved === undefined ? Promise.resolve() : store.apply(evolved.migration);
    if (typeof result === 'object' && result !== null) {
      await expect(applied).rejects.toThrow('SCF424:Note.it concerns 1 rows');
      expect(await read(types.from)).toEqual(was);
    } else {
      await applied;
      expect(await read(types.to)).toEqual([result, null]);
    }
    await store.close();
  });
});

function appWith(type: string, engine: Engine) {
  const enums = 'enums: { Status: [draft, live], Mood: [live, gone] }';
  const fields = `{ it: "${type}?" }`;
  const note = `Note: { timestamps: false, fields: ${fields} }`;
  // The tables of accounts would take longer to make than all the rest.
  return appOf(`auth: none\n${enums}\nmodels: { ${note} }`, engine);
}

function typeOf(app: ReturnType<typeof appWith>): FieldType {
  const note = app.models.find(({ names }) => names.type === 'Note');
  const field = note?.fields.find(({ name }) => name === 'it');
  if (field === undefined) throw new Error('no field');
  return field.type;
}

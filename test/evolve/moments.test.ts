import { expect, test } from 'vitest';
import { makeMigration } from '../../src/evolve/make-migration.ts';
import { carryIds } from '../../src/model/carry.ts';
import { appOf } from './support/app-of.ts';

const note = (word: string, field = 'seen: datetime?') =>
  `storage: { times: ${word} }\nmodels: { Note: { timestamps: false, fields: { ${field} } } }`;

function evolved(from: string, to: string) {
  const was = appOf(from, 'postgres');
  const is = carryIds(was, appOf(to, 'postgres'), []);
  const step = makeMigration(was, is, { sequence: 2, parent: '0001_initial', schemaText: to });
  return {
    losses: step?.hazards.flatMap(({ code, target, count }) =>
      code === 'SCF413' && target.startsWith('Note') ? [count] : [],
    ),
    sql: step?.migration.files['up.sql'],
  };
}

const precise = note('timestamptz(6)');
const lost = ["seen <> date_trunc('milliseconds', seen)"];

test.each([
  ['milliseconds', note('timestamptz'), lost],
  ['milliseconds without a zone', note('timestamp'), lost],
  ['texts', note('timestamptz(6)', 'seen: string?'), lost],
  ['microseconds without a zone', note('timestamp(6)'), []],
])('moments to the microsecond become %s', (_, to, losses) => {
  expect(evolved(precise, to).losses).toEqual(losses.map((it) => expect.stringContaining(it)));
  expect(evolved(to, precise).losses).toEqual([]);
});

test('an optional moment that the server fills in gets a default in a database of another program', () => {
  const filled = note('timestamptz(6)', 'seen: datetime? = now');
  expect(evolved(precise, filled).sql).toContain('ALTER COLUMN seen SET DEFAULT now()');
  expect(evolved(filled, precise).sql).toContain('ALTER COLUMN seen DROP DEFAULT');
});

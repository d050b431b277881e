import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildRunner, runnerFile } from '../runner/build.ts';
import { reportRows } from '../runner/checks.ts';
import { root } from './support/root.ts';
import { must } from './support/run.ts';
import type * as postgres from '../runner/postgres/migrate.ts';
import type * as sqlite from '../runner/sqlite/migrate.ts';
import type * as ofPostgres from '../templates/postgres/migrations/migrate.d.ts';
import type * as ofSqlite from '../templates/sqlite/migrations/migrate.d.ts';

/** The compiler checks that what is declared exists, on both engines. */
type Covers<Exports, Source extends Exports> = Source;
export type Declared = [
  Covers<typeof ofSqlite, typeof sqlite>,
  Covers<typeof ofPostgres, typeof postgres>,
];

test.each(['sqlite', 'postgres'] as const)(
  'the runner of a project is what `npm run fixtures runner` makes of its source, on %s',
  async (engine) => {
    const files = await buildRunner(engine);
    expect([...files.keys()]).toEqual(['migrate.js', 'baseline.js', 'migrate.d.ts']);
    for (const [name, text] of files)
      expect(readFileSync(runnerFile(engine, name), 'utf8')).toBe(text);
  },
);

test('its files are lint-clean, though names of several modules meet in them', async () => {
  const files = (['sqlite', 'postgres'] as const).flatMap((engine) =>
    ['migrate.js', 'baseline.js'].map((name) => runnerFile(engine, name)),
  );
  const rules = ['--deny-warnings', '--config', 'templates/app/.oxlintrc.json'];
  await must('node_modules/.bin/oxlint', [...rules, ...files], { cwd: root });
});

test.each([
  ['Mood.bad', 'Change those rows; or give the field a `backfill`'],
  ['Role.clerk', 'Change those rows; or write into'],
])('rows that stop a migration can be filled where a schema can say it: %s', (target, says) => {
  const hazard = { kind: 'data', code: 'SCF415', target, message: 'Change them.' } as const;
  const check = { ...hazard, count: '', stops: true, rows: 1 };
  const report = () => reportRows({ id: '0002_less', adds: [1], isJoint: false }, [check]);
  expect(report).toThrow(says);
});

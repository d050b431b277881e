import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildRunner, runnerFile } from '../runner/build.ts';
import type * as postgres from '../runner/postgres/migrate.ts';
import type * as sqlite from '../runner/sqlite/migrate.ts';
import type * as declared from '../templates/app/migrations/migrate.d.ts';

/** The compiler sees to it that what is declared is there, on both engines. */
type Covers<Source extends typeof declared> = Source;
export type Declared = [Covers<typeof sqlite>, Covers<typeof postgres>];

test.each(['sqlite', 'postgres'] as const)(
  'the runner of a project is what `npm run fixtures runner` makes of its source, on %s',
  async (engine) => {
    expect(readFileSync(runnerFile(engine), 'utf8')).toBe(await buildRunner(engine));
  },
);

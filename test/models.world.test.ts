import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withDatabase } from '../src/commands/edit-schema.ts';
import { emit, writeFiles } from './support/emit.ts';
import { misformatted } from './support/formatted.ts';
import { failuresOfOwnTests } from './support/failures-of-own-tests.ts';
import { install } from './support/install.ts';
import { freshDatabase } from './support/postgres.ts';
import { root } from './support/root.ts';
import { must } from './support/run.ts';
import { scratchFolder } from './support/scratch.ts';
import { isDeep } from './support/trials.ts';
import { oneChecker } from './support/type-check.ts';
import type { Engine } from '../src/types/field-type.ts';

const engines = ['sqlite', 'postgres'] as const;

test.each(engines)(
  'on %s, rows belong to others, refer to their own model, and are shown in part',
  async (engine) => {
    const folder = await project('models', engine);

    expect(existsSync(join(folder, 'src/visits/queries.ts'))).toBe(false);
    const env = engine === 'postgres' ? { TEST_DATABASE_URL: await freshDatabase() } : {};
    await must('node_modules/.bin/vitest', ['run', 'test/models.test.ts'], { cwd: folder, env });
  },
);

// On PostgreSQL, with keys of other names: `access/products.world.test.ts`.
test.each(isDeep ? engines : ['sqlite' as const])(
  'on %s, ids of every kind lead to their rows',
  async (engine) => {
    const folder = await project('keys', engine);
    expect(await failuresOfOwnTests(folder, engine)).toBe('');
  },
);

test.each(engines)('on %s, a project without accounts is complete', async (engine) => {
  const folder = await project('open', engine);
  await must('node_modules/.bin/oxlint', ['--deny-warnings'], { cwd: folder });
  expect(await misformatted(emit(await schemaOf('open', engine)))).toEqual([]);
  expect(await failuresOfOwnTests(folder, engine)).toBe('');
});

/** A project of the fixture, with its tests, which type-checks. */
async function project(fixture: string, engine: Engine): Promise<string> {
  const folder = await scratchFolder(`${fixture}-${engine}`);
  await writeFiles(folder, emit(await schemaOf(fixture, engine)));
  const tests = `${fixture}.test.ts`;
  await cp(join(root, 'fixtures', fixture, tests), join(folder, 'test', tests));
  await install(folder);
  await must('node_modules/.bin/tsc', ['--noEmit', ...oneChecker], { cwd: folder });
  return folder;
}

async function schemaOf(fixture: string, engine: Engine): Promise<string> {
  const file = join(root, 'fixtures', fixture, 'schema.yaml');
  return withDatabase({ text: await readFile(file, 'utf8'), file }, engine).text;
}

import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type BuiltApp, copiedApp } from './support/built-app.ts';
import { failuresOfOwnTests } from './support/failures-of-own-tests.ts';
import { root } from './support/root.ts';
import { must } from './support/run.ts';
import { say } from './support/say.ts';
import { oneChecker } from './support/type-check.ts';

/** A quarter of the time, for the same code on both engines: `every-type` of `test/emitted.world.test.ts` runs it on SQLite. */
const leftOut = { sqlite: ['--exclude=test/auth/rate-limits.test.ts'], postgres: [] } as const;

/** What `npm test` sees of the emitted world; `test/emitted.world.test.ts` sees the rest. */
describe.each(['sqlite', 'postgres'] as const)('the golden blog on %s', (engine) => {
  let app: BuiltApp;

  beforeAll(async () => {
    app = await copiedApp('blog', engine);
    await cp(join(root, 'fixtures/lists'), join(app.folder, 'test'), { recursive: true });
  });

  test('type-checks', async () => {
    await must('npm', ['run', 'typecheck', '--', ...oneChecker], { cwd: app.folder });
  });

  test('has no lint findings', async () => {
    await must('npm', ['run', 'lint'], { cwd: app.folder });
  });

  test('passes its own tests, and ours for the limits and indexes of its lists', async () => {
    say(`running the tests of the blog on ${engine}`);
    // In one process: a second one would load all of it again, on a core that has other tests to run.
    const asked = ['--maxWorkers=1', ...leftOut[engine]];
    expect(await failuresOfOwnTests(app.folder, engine, ...asked)).toBe('');
  });
});

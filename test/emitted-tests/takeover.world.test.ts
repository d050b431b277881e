import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copiedApp } from '../support/built-app.ts';
import { root } from '../support/root.ts';
import { run } from '../support/run.ts';
import { trials } from '../support/trials.ts';

/** All stories of one step and some of two; before a release all of two, many of three, and a quarter as many long ones. */
const stories = trials({ quick: 26, full: 52, deep: 1000 });

test.each(['sqlite', 'postgres'] as const)(
  `nobody keeps an account from its owner, in ${stories} stories on %s`,
  async (engine) => {
    const app = await copiedApp('blog', engine);
    const suite = 'test/auth/takeover.test.ts';
    await cp(join(root, 'fixtures/own-tests/takeover.test.ts'), join(app.folder, suite));
    const env = {
      STORIES: String(stories),
      ...(engine === 'postgres' && { TEST_DATABASE_URL: app.env['DATABASE_URL'] }),
    };
    const { code, stdout, stderr } = await run(
      'node_modules/.bin/vitest',
      ['run', '--reporter=dot', suite],
      { cwd: app.folder, env },
    );
    expect(code === 0 ? '' : `${stdout}\n${stderr}`).toBe('');
  },
);

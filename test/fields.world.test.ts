import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'vitest';
import { install } from './support/install.ts';
import { root } from './support/root.ts';
import { must } from './support/run.ts';
import { scratchFolder } from './support/scratch.ts';
import { oneChecker } from './support/type-check.ts';

const suites = ['fields.test.ts', 'expressions.test.ts', 'answers.test.ts', 'lists.test.ts'];

test.each(['sqlite', 'postgres'])(
  'on %s, fields are seen by the right people, and their values are right everywhere',
  async (engine) => {
    const folder = await scratchFolder(`fields-${engine}`);
    await cp(join(root, 'fixtures/apps/every-type', engine), folder, { recursive: true });
    await cp(join(root, 'fixtures/fields'), join(folder, 'test'), { recursive: true });
    await install(folder);
    await must('node_modules/.bin/tsc', ['--noEmit', ...oneChecker], { cwd: folder });
    await must('node_modules/.bin/vitest', ['run', ...suites], { cwd: folder });
  },
);

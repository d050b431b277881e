import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'vitest';
import { install } from './support/install.ts';
import { root } from './support/root.ts';
import { must } from './support/run.ts';
import { scratchFolder } from './support/scratch.ts';

const suites = ['cost.test.ts', 'embedding.test.ts', 'order.test.ts'];

test.each(['sqlite', 'postgres'])(
  'on %s, lists keep to their bounds and indexes',
  async (engine) => {
    const folder = await scratchFolder(`lists-${engine}`);
    await cp(join(root, 'fixtures/apps/blog', engine), folder, { recursive: true });
    for (const suite of suites) {
      await cp(join(root, 'fixtures/lists', suite), join(folder, 'test', suite));
    }
    await install(folder);
    await must('node_modules/.bin/vitest', ['run', ...suites], { cwd: folder });
  },
);

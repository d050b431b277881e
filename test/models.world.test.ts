import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withDatabase } from '../src/commands/new.ts';
import { emit, writeFiles } from './support/emit.ts';
import { install } from './support/install.ts';
import { freshDatabase } from './support/postgres.ts';
import { root } from './support/root.ts';
import { must } from './support/run.ts';
import { scratchFolder } from './support/scratch.ts';
import { oneChecker } from './support/type-check.ts';

test.each(['sqlite', 'postgres'] as const)(
  'on %s, rows belong to others, refer to their own model, and are shown in part',
  async (engine) => {
    const folder = await scratchFolder(`models-${engine}`);
    const file = join(root, 'fixtures/models/schema.yaml');
    const { text } = withDatabase({ text: await readFile(file, 'utf8'), file }, engine);
    await writeFiles(folder, emit(text));
    await cp(join(root, 'fixtures/models/models.test.ts'), join(folder, 'test/models.test.ts'));
    await install(folder);

    expect(existsSync(join(folder, 'src/visits/queries.ts'))).toBe(false);
    await must('node_modules/.bin/tsc', ['--noEmit', ...oneChecker], { cwd: folder });
    const env = engine === 'postgres' ? { TEST_DATABASE_URL: await freshDatabase() } : {};
    await must('node_modules/.bin/vitest', ['run', 'test/models.test.ts'], { cwd: folder, env });
  },
);

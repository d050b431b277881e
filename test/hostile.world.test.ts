import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { emit, writeFiles } from './support/emit.ts';
import { failuresOfOwnTests } from './support/failures-of-own-tests.ts';
import { hostile, schemaOf } from './support/hostile-schema.ts';
import { install } from './support/install.ts';
import { say } from './support/say.ts';
import { scratchFolder } from './support/scratch.ts';
import { typeErrors } from './support/type-check.ts';

const engines = ['sqlite', 'postgres'] as const;

describe.each(engines)('the project of the hostile schema on %s', (engine) => {
  let folder = '';

  beforeAll(async () => {
    folder = join(await scratchFolder(`hostile-${engine}`), 'letterbox');
    await writeFiles(folder, emit(schemaOf(hostile, engine)));
    await install(folder);
  });

  test('type-checks', async () => expect(await typeErrors(folder, ['.'])).toEqual([]));

  test('passes its own tests, and no hostile text was executed', async () => {
    say(`running the tests of the hostile schema on ${engine}`);
    expect(await failuresOfOwnTests(folder, engine)).toBe('');
    expect(existsSync(join(folder, 'canary'))).toBe(false);
  });
});

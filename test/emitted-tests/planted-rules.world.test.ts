import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../support/built-app.ts';
import { emit, writeFiles } from '../support/emit.ts';
import { failuresOfOwnTests } from '../support/failures-of-own-tests.ts';
import { install } from '../support/install.ts';
import { runTests } from '../support/run-tests.ts';
import { scratchFolder } from '../support/scratch.ts';
import { sample } from '../support/trials.ts';
import { plantedRules, schema } from './planted-rules.ts';

/** The tests of a project catch a mistake in each word of its rules. */

const engines = ['sqlite', 'postgres'] as const;

describe('the own tests of a project with rules', () => {
  const folders = new Map<Engine, string>();

  beforeAll(async () => {
    for (const engine of engines) {
      const folder = await scratchFolder(`planted-rules-${engine}`);
      await writeFiles(folder, emit(`database: ${engine}\n${schema}`));
      await install(folder);
      folders.set(engine, folder);
    }
  });

  test.each(engines)('pass without a mistake on %s', async (engine) => {
    expect(await failuresOfOwnTests(folders.get(engine) ?? '', engine)).toBe('');
  });

  test.each(sample(plantedRules))('catch that $name', async ({ file, find, replace, seenBy }) => {
    const folder = folders.get('sqlite') ?? '';
    const whole = await readFile(join(folder, file), 'utf8');
    await writeFile(
      join(folder, file),
      whole.replace(find, () => replace),
    );
    const { stdout, stderr } = await runTests(folder, {}, seenBy);
    await writeFile(join(folder, file), whole);
    // A project that does not start proves nothing.
    expect(/AssertionError/.test(stdout + stderr), stdout).toBe(true);
  });
});

import { readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { emit, writeFiles } from './support/emit.ts';
import { misformatted } from './support/formatted.ts';
import { installed, readDependencies } from './support/install.ts';
import { legalSchema } from './support/legal/schema.ts';
import { failuresOfOwnTests } from './support/failures-of-own-tests.ts';
import { root } from './support/root.ts';
import { run } from './support/run.ts';
import { say } from './support/say.ts';
import { scratchFolder } from './support/scratch.ts';
import { searchSeed, trials } from './support/trials.ts';
import { typeErrors } from './support/type-check.ts';

/** `SEED=… npx vitest run test/random.world.test.ts` repeats a run. */
const seed = searchSeed();
const counts = {
  emitted: trials({ quick: 2, full: 2, deep: 500 }),
  tested: trials({ quick: 0, full: 1, deep: 20 }),
};

/** What the search has found, in one schema. */
const found = readFileSync(join(root, 'test/support/legal/once-failed.yaml'), 'utf8');
const onceFailed = { sqlite: found, postgres: `${found}database: postgres\n` };

describe.each(['sqlite', 'postgres'] as const)('random legal schemas for %s', (engine) => {
  const drawn = fc.sample(legalSchema(engine), { seed, numRuns: counts.emitted });
  const schemas = [{ text: onceFailed[engine], file: 'schema.yaml' }, ...drawn];
  const projects = schemas.map(({ text }) => emit(text));
  const names = projects.map((_, at) => String(at).padStart(4, '0'));
  let folder = '';

  beforeAll(async () => {
    say(`random schemas: SEED=${seed}, ${counts.emitted} for ${engine}`);
    folder = await scratchFolder(`random-${engine}`);
    for (const [at, files] of projects.entries()) {
      await writeFiles(join(folder, names[at] ?? ''), files);
    }
    await writeFiles(join(folder, 'planted'), spoil(projects[0] ?? []));
    const modules = await installed(await readDependencies(join(folder, '0000')));
    await symlink(modules, join(folder, 'node_modules'), 'dir');
  });

  test(`${counts.emitted} type-check, and one that once failed; a misspelt name in it is found`, async () => {
    expect(await typeErrors(folder, [...names, 'planted'])).toEqual([
      expect.stringContaining('planted'),
    ]);
  });

  test('none has a lint finding', async () => {
    const { code, stdout } = await run('node_modules/.bin/oxlint', ['--deny-warnings', ...names], {
      cwd: folder,
    });
    expect(code === 0 ? '' : stdout).toBe('');
  });

  test('all are formatted', async () => {
    for (const [at, files] of projects.entries()) {
      expect(await misformatted(files), `SEED=${seed}\n${schemas[at]?.text}`).toEqual([]);
    }
  });

  test.each(names.slice(0, 1 + counts.tested))(`%s passes its own tests`, async (name) => {
    say(`running the tests of ${engine}/${name} of SEED=${seed}`);
    const failures = await failuresOfOwnTests(join(folder, name), engine);
    expect(failures, schemas[Number(name)]?.text).toBe('');
  });
});

/** The error that a template could make, a name that nobody declared, under the settings of a project. */
function spoil(files: ReturnType<typeof emit>): ReturnType<typeof emit> {
  return files.flatMap((file) => {
    if (file.path === 'src/enums.ts')
      return { ...file, content: 'export const planted = missing;\n' };
    return ['package.json', 'tsconfig.json'].includes(file.path) ? file : [];
  });
}

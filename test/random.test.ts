import { readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { emit, writeFiles } from './support/emit.ts';
import { misformatted } from './support/formatted.ts';
import { installed, readDependencies } from './support/install.ts';
import { legalSchema } from './support/legal/schema.ts';
import { freshDatabase } from './support/postgres.ts';
import { root } from './support/root.ts';
import { run } from './support/run.ts';
import { say } from './support/say.ts';
import { scratchFolder } from './support/scratch.ts';
import { searchSeed, trials } from './support/trials.ts';
import { typeErrors } from './support/type-check.ts';

/** `SEED=… npx vitest run test/random.test.ts` repeats a run. */
const seed = searchSeed();
const counts = {
  emitted: trials({ quick: 20, deep: 500 }),
  tested: trials({ quick: 2, deep: 20 }),
};

/** What the search has found, in one schema. */
const found = readFileSync(join(root, 'test/support/legal/once-failed.yaml'), 'utf8');
const onceFailed = { sqlite: found, postgres: `${found}database: postgres\n` };

describe.each(['sqlite', 'postgres'] as const)('random legal schemas for %s', (engine) => {
  const drawn = fc.sample(legalSchema(engine), { seed, numRuns: counts.emitted });
  const schemas = [{ text: onceFailed[engine], file: 'schema.yaml' }, ...drawn];
  const names = schemas.map((_, at) => String(at).padStart(4, '0'));
  let folder = '';

  beforeAll(async () => {
    say(`random schemas: SEED=${seed}, ${counts.emitted} for ${engine}`);
    folder = await scratchFolder(`random-${engine}`);
    for (const [at, { text, file }] of schemas.entries()) {
      await writeFiles(join(folder, names[at] ?? ''), emit(text, file));
    }
    const modules = await installed(await readDependencies(join(folder, '0000')));
    await symlink(modules, join(folder, 'node_modules'), 'dir');
  });

  test(`${counts.emitted} type-check, and one that once failed`, async () => {
    expect(await typeErrors(folder, names)).toEqual([]);
  });

  test('a misspelt name in one of them is found', async () => {
    const [first = ''] = names;
    await writeFiles(
      join(folder, 'planted'),
      spoil(emit(schemas[0]?.text ?? '', schemas[0]?.file)),
    );
    expect(await typeErrors(folder, [first, 'planted'])).toEqual([
      expect.stringContaining('planted'),
    ]);
  });

  test('none has a finding of the linter', async () => {
    const { code, stdout } = await run('node_modules/.bin/oxlint', ['--deny-warnings', ...names], {
      cwd: folder,
    });
    expect(code === 0 ? '' : stdout).toBe('');
  });

  test('all are formatted', async () => {
    for (const { text, file } of schemas) {
      expect(await misformatted(emit(text, file)), `SEED=${seed}\n${text}`).toEqual([]);
    }
  });

  test.each(names.slice(0, 1 + counts.tested))(`%s passes its own tests`, async (name) => {
    say(`running the tests of ${engine}/${name} of SEED=${seed}`);
    const env = engine === 'postgres' ? { TEST_DATABASE_URL: await freshDatabase() } : {};
    const { code, stdout, stderr } = await run('npm', ['test'], { cwd: join(folder, name), env });
    expect(code === 0 ? '' : `${schemas[Number(name)]?.text}\n${stdout}\n${stderr}`).toBe('');
  });
});

/** The error that a template could make: a name that nobody declared. */
function spoil(files: ReturnType<typeof emit>): ReturnType<typeof emit> {
  return files.map((file) =>
    file.path === 'src/routes.ts'
      ? { ...file, content: `${file.content}\nexport const planted = missing;\n` }
      : file,
  );
}

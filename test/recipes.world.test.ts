import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newProject } from './support/changed-project.ts';
import { failuresOfOwnTests } from './support/failures-of-own-tests.ts';
import { installed, readDependencies } from './support/install.ts';
import {
  applyRecipe,
  changesOf,
  engines,
  lots as recipesTogether,
  recipeNames,
  schemaOf,
} from './support/recipes.ts';
import { root } from './support/root.ts';
import { must } from './support/run.ts';
import { say } from './support/say.ts';
import { scratchFolder } from './support/scratch.ts';
import { isDeep } from './support/trials.ts';
import { oneChecker } from './support/type-check.ts';
import type { Engine } from '../src/types/field-type.ts';

/**
 * As many as fit in one project: the largest lot on both engines, the others on one of them in turn. Before a release, each
 * alone and on both.
 */
function lotsOn(engine: Engine): readonly (readonly string[])[] {
  if (isDeep) return recipeNames.map((name) => [name]);
  return recipesTogether.filter((_, at) => at === 0 || engines[at % 2] === engine);
}

/** What an owner does in the first month, on the project as it was made; its tests run as a regenerated schema leaves it. */
describe.each(engines)('on %s', (engine) => {
  const lots = lotsOn(engine);
  const folders: string[] = [];

  beforeAll(async () => {
    for (const recipes of lots) folders.push(await projectWith(recipes));
    const modules = await sharedModules(folders);
    for (const folder of folders) await symlink(modules, join(folder, 'node_modules'), 'dir');
  });

  async function projectWith(recipes: readonly string[]): Promise<string> {
    const golden = join(root, 'fixtures/apps/blog', engine, 'schema.yaml');
    const folder = await newProject(await readFile(golden, 'utf8'), {});
    const schema = await schemaOf(recipes, engine, await scratchFolder('schema'));
    await regenerate(folder, () => schema, agreed(schema));
    for (const recipe of recipes) await applyRecipe(recipe, engine, folder);
    return folder;
  }

  describe.each(lots.map((recipes, at) => [recipes.join(', '), recipes, at] as const))(
    '%s',
    (names, recipes, at) => {
      const changes = recipes
        .flatMap((recipe) => changesOf(recipe))
        .filter(({ of }) => of === 'blog' || of === engine);
      const inProject = (program: string, ...args: readonly string[]) =>
        must(join('node_modules/.bin', program), args, { cwd: folders[at] ?? '' });

      test('type-checks, lints and is formatted', async () => {
        await inProject('tsc', '--noEmit', ...oneChecker);
        await inProject('oxlint', '--deny-warnings');
        const paths = new Set(changes.map(({ path }) => path));
        const formatted = [...paths].filter((path) => /\.(ts|json)$/.test(path));
        await inProject('prettier', '--check', ...formatted);
      });

      test('keeps its lines when the schema of its models changes', async () => {
        const folder = folders[at] ?? '';
        await regenerate(folder, withMoreFields);
        for (const { path, text } of changes) {
          const now = (await readFile(join(folder, path), 'utf8')).split('\n').map(wordsOf);
          const added = text.split('\n').filter((line) => /^\+(?!\+\+)/.test(line));
          const lost = added.filter((line) => !now.some((words) => holds(words, line.slice(1))));
          expect([path, lost]).toEqual([path, []]);
        }
        await inProject('tsc', '--noEmit', ...oneChecker);
      });

      test("passes the project's tests and its own after that", async () => {
        say(`running the tests of ${names} on ${engine}`);
        expect(await failuresOfOwnTests(folders[at] ?? '', engine)).toBe('');
      });
    },
  );
});

/** One folder for all of them: it has what any of them has added to the dependencies. */
async function sharedModules(folders: readonly string[]): Promise<string> {
  const all = await Promise.all(folders.map(readDependencies));
  const [first = {}] = all;
  const merged = (key: 'dependencies' | 'devDependencies') =>
    Object.assign({}, ...all.map((each) => each[key]));
  return installed({
    ...first,
    dependencies: merged('dependencies'),
    devDependencies: merged('devDependencies'),
  });
}

/** Without passwords their column is dropped: data, though nobody has a password here. */
const agreed = (schema: string) =>
  schema.includes('password: false') ? ['--accept', 'SCF412:User.password'] : [];

async function regenerate(
  folder: string,
  change: (schema: string) => string,
  options: readonly string[] = [],
): Promise<void> {
  const file = join(folder, 'schema.yaml');
  const before = await readFile(file, 'utf8');
  const after = change(before);
  if (after === before) return;
  await writeFile(file, after);
  const program = join(root, 'bin/scaffold.js');
  await must(process.execPath, [program, 'regenerate', '--yes', ...options], { cwd: folder });
}

/** One more for users, posts and comments, which the recipes are about. */
function withMoreFields(schema: string): string {
  const places = ['      bio: text?\n', '      body: text\n', '      body: string(1..2000)\n'];
  return places.reduce((text, place) => {
    expect(text).toContain(place);
    return text.replace(place, `      remark: string(1..80)?\n${place}`);
  }, schema);
}

/** Whether a line has all of another one in it: the schema may have put a field between. */
function holds(words: readonly string[], line: string): boolean {
  let at = -1;
  return wordsOf(line).every((word) => (at = words.indexOf(word, at + 1)) !== -1);
}

function wordsOf(line: string): readonly string[] {
  return (
    line
      .trim()
      .replace(/,$/, '')
      .match(/\w+|[^\s\w]/g) ?? []
  );
}

import { existsSync, readFileSync } from 'node:fs';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Change,
  changesIn,
  engines,
  pageOf,
  patchesOf,
  patchFile,
  withCode,
  writeBlog,
} from './recipes.ts';
import { root } from './root.ts';
import { must, run } from './run.ts';
import type { Engine } from '../../src/types/field-type.ts';

/** Where a recipe is edited: the blog of one engine as the last commit, the recipe on top of it. */
const workplace = (recipe: string, engine: Engine) => join(root, '.cache/recipes', recipe, engine);

/** The blog of today with the recipe. Throws, and says how to go on, where that no longer fits. */
export async function openRecipe(recipe: string): Promise<void> {
  const left: string[] = [];
  for (const engine of engines) {
    const folder = workplace(recipe, engine);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await writeBlog(recipe, engine, folder);
    await commitAll(folder);
    for (const patch of patchesOf(recipe, engine)) {
      if (!(await applies(folder, patch))) left.push(`${folder} (${patch})`);
    }
  }
  if (left.length === 0) return;
  const places = left.map((place) => `  ${relative(root, place)}`).join('\n');
  throw new Error(
    `The blog has changed where ${recipe} changes it:\n${places}\nResolve it there, then: npm run recipe save ${recipe}`,
  );
}

/** With the blobs of this repository, in which every blog is that a patch was made from. */
async function commitAll(folder: string): Promise<void> {
  const git = (...args: readonly string[]) => must('git', args, { cwd: folder });
  await git('init', '--quiet');
  const common = await must('git', ['rev-parse', '--git-common-dir'], { cwd: root });
  const objects = join(root, relative(root, common.stdout.trim()), 'objects');
  const info = join(folder, '.git/objects/info');
  await mkdir(info, { recursive: true });
  await writeFile(join(info, 'alternates'), `${objects}\n`);
  await appendFile(join(folder, '.git/info/exclude'), 'node_modules\npackage-lock.json\nvar\n');
  await git('add', '--all', '--force');
  await git('-c', 'user.name=recipe', '-c', 'user.email=', 'commit', '--quiet', '-m', 'The blog');
}

async function applies(folder: string, patch: string): Promise<boolean> {
  const plainly = await run('git', ['apply', '--index', patch], { cwd: folder });
  if (plainly.code === 0) return true;
  return (await run('git', ['apply', '--3way', patch], { cwd: folder })).code === 0;
}

/** Writes the patches from what is there, and the code of the page from the patches. */
export async function saveRecipe(recipe: string): Promise<void> {
  const of = {
    sqlite: await changesAt(recipe, 'sqlite'),
    postgres: await changesAt(recipe, 'postgres'),
  };
  const shared = of.sqlite.filter((change) => isShared(change, of.postgres));
  await writePatch(patchFile(recipe, 'blog'), shared);
  for (const engine of engines) {
    const own = of[engine].filter((change) => !isShared(change, shared));
    await writePatch(patchFile(recipe, engine), own);
  }
  const page = pageOf(recipe);
  if (existsSync(page)) await writeFile(page, withCode(recipe, readFileSync(page, 'utf8')));
}

function isShared({ path, text }: Change, others: readonly Change[]): boolean {
  return others.some(
    (other) => other.path === path && withoutPlaces(other.text) === withoutPlaces(text),
  );
}

/** Without the lines and blobs, which differ from engine to engine. */
function withoutPlaces(text: string): string {
  return text.replaceAll(/^(index .*|@@.*)$/gm, '');
}

async function changesAt(recipe: string, engine: Engine): Promise<readonly Change[]> {
  const cwd = workplace(recipe, engine);
  await must('git', ['add', '--all'], { cwd });
  const args = ['diff', '--cached', '--unified=1', '--full-index', '--no-renames', 'HEAD'];
  // `must` takes the line end of the last line away.
  return changesIn(`${(await must('git', args, { cwd })).stdout}\n`);
}

async function writePatch(file: string, changes: readonly Change[]): Promise<void> {
  await rm(file, { force: true });
  if (changes.length === 0) return;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, changes.map(({ text }) => text).join(''));
}

// npm run recipe open|save <name>: a recipe is edited in .cache/recipes/<name>/{sqlite,postgres}.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [verb, recipe = ''] = process.argv.slice(2);
  await (verb === 'save' ? saveRecipe : openRecipe)(recipe);
}

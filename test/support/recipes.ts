import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withDatabase } from '../../src/commands/edit-schema.ts';
import { emit, writeFiles } from './emit.ts';
import { root } from './root.ts';
import { must } from './run.ts';
import type { Engine } from '../../src/types/field-type.ts';

/**
 * What an owner adds to the blog, as patches: `schema.patch` is the change of `schema.yaml` that comes first,
 * `blog.patch` what is the same on both engines, `sqlite.patch` and `postgres.patch` what is not.
 */
const home = join(root, 'fixtures/recipes');

export const recipeNames: readonly string[] = readdirSync(home).toSorted();

export const engines = ['sqlite', 'postgres'] as const;

export function patchFile(recipe: string, name: 'schema' | 'blog' | Engine): string {
  return join(home, recipe, `${name}.patch`);
}

/** The schema of the blog, with what the recipes need in it. */
export async function schemaOf(
  recipes: readonly string[],
  engine: Engine,
  scratch: string,
): Promise<string> {
  const golden = join(root, 'fixtures/apps/blog/schema.yaml');
  const { text } = withDatabase({ text: await readFile(golden, 'utf8'), file: golden }, engine);
  await mkdir(scratch, { recursive: true });
  await writeFile(join(scratch, 'schema.yaml'), text);
  for (const recipe of recipes) {
    const patch = patchFile(recipe, 'schema');
    if (existsSync(patch)) await gitApply(scratch, patch);
  }
  return readFile(join(scratch, 'schema.yaml'), 'utf8');
}

/** The blog before the recipe. */
export async function writeBlog(recipe: string, engine: Engine, folder: string): Promise<void> {
  const files = emit(await schemaOf([recipe], engine, folder));
  await writeFiles(folder, files);
}

/** In a folder that is in no repository, or at the root of one. */
export async function applyRecipe(recipe: string, engine: Engine, folder: string): Promise<void> {
  for (const patch of patchesOf(recipe, engine)) await gitApply(folder, patch);
}

/**
 * Recipes that fit into one project: no two change the same lines. Where one changes who sees a post, the others of its
 * lot do not ask.
 */
export const lots: readonly (readonly string[])[] = [
  [
    'bulk-call',
    'computed-column',
    'full-text-search',
    'mail-after-create',
    'nightly-job',
    'own-setting',
    'report',
    'rule-across-fields',
    'second-factor',
    'tracing',
  ],
  ['audit-log', 'social-login', 'tenants'],
  ['metrics', 'upload-and-websocket', 'webhooks', 'who-sees-what'],
  ['single-sign-on'],
  ['api-keys'],
];

export function patchesOf(recipe: string, engine: Engine): readonly string[] {
  return [patchFile(recipe, 'blog'), patchFile(recipe, engine)].filter((file) => existsSync(file));
}

async function gitApply(folder: string, patch: string): Promise<void> {
  // As if there were no repository around the folder: Git would look for the files at its root.
  await must('git', ['apply', patch], { cwd: folder, env: { GIT_CEILING_DIRECTORIES: root } });
}

/** What a patch does to one file. */
export interface Change {
  readonly path: string;
  readonly isNew: boolean;
  /** From `diff --git` to the end. */
  readonly text: string;
}

export function changesIn(patch: string): readonly Change[] {
  const parts = patch.split(/^(?=diff --git )/m).filter((part) => part.startsWith('diff '));
  return parts.map((text) => ({
    path: /^diff --git a\/(.+) b\//.exec(text)?.[1] ?? '',
    isNew: text.includes('\nnew file mode '),
    text,
  }));
}

/** Every change of a recipe, with the engine where it is for one alone. */
export function changesOf(
  recipe: string,
): readonly (Change & { readonly of: 'schema' | 'blog' | Engine })[] {
  return (['schema', 'blog', ...engines] as const).flatMap((of) => {
    const file = patchFile(recipe, of);
    if (!existsSync(file)) return [];
    return changesIn(readFileSync(file, 'utf8')).map((change) => ({ ...change, of }));
  });
}

export function pageOf(recipe: string): string {
  return join(root, 'docs/recipes', `${recipe}.md`);
}

const headings = { schema: '', blog: '', sqlite: ', SQLite', postgres: ', PostgreSQL' } as const;

/** The page, in which the code below each file's heading is that of the patch. */
export function withCode(recipe: string, page: string): string {
  let text = page;
  for (const { of, ...change } of changesOf(recipe)) {
    const heading = `\n### \`${change.path}\`${headings[of]}\n`;
    const start = text.indexOf(heading) + heading.length;
    const open = text.indexOf('\n```', start);
    const close = text.indexOf('\n```\n', open + 1);
    if (!text.includes(heading) || open === -1 || close === -1) {
      throw new Error(`${pageOf(recipe)} has no code block below${heading}`);
    }
    text = `${text.slice(0, open)}\n${codeOf(change)}${text.slice(close)}`;
  }
  return text;
}

/** A new file is shown as it is; of another one, the lines that differ. */
function codeOf({ path, isNew, text }: Change): string {
  const [, ...hunks] = text.trimEnd().split(/^@@.*\n/m);
  const body = hunks.map((hunk) => hunk.trimEnd());
  // An empty line of context has a space in the patch, which formatters take away.
  if (!isNew) return `\`\`\`diff\n${body.join('\n@@\n').replaceAll(/^ $/gm, '')}`;
  const language = path.slice(path.lastIndexOf('.') + 1);
  return `\`\`\`${language}\n${body.join('\n').replaceAll(/^\+/gm, '')}`;
}

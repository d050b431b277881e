import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { buildApp } from '../../../src/model/build.ts';
import { applyNew } from '../../../src/project/new-project.ts';
import { applyPlan } from '../../../src/project/journal/apply-plan.ts';
import type { Plan, RunOptions } from '../../../src/project/plan.ts';
import { readProject } from '../../../src/project/read-project.ts';
import { recover } from '../../../src/project/journal/replay.ts';
import { planRegeneration, type Regeneration } from '../../../src/project/regeneration.ts';
import { renderNew } from '../../../src/project/render-project.ts';
import { withRunLock } from '../../../src/project/journal/run-lock.ts';
import { buildNext, isUpToDate } from '../../../src/project/plan/next-app.ts';
import { parseSchema } from '../../../src/schema/parse.ts';

/** A generated project on the disk, and what its owner and `scaffold` do to it. */
export interface TestProject {
  readonly folder: string;
  read(path: string): string;
  exists(path: string): boolean;
  write(path: string, text: string): void;
  edit(path: string, change: (text: string) => string): void;
  remove(path: string): void;
  chmod(path: string, mode: number): void;
  /** Every file but those that git ignores, with its text; what a snapshot of the project is. */
  files(): Readonly<Record<string, string>>;
  plan(schemaText: string, wish?: Partial<RunOptions>): Promise<Regeneration>;
  regenerate(schemaText: string, wish?: Partial<RunOptions>): Promise<Regeneration>;
  isUpToDate(schemaText: string): Promise<boolean>;
  apply(plan: Plan): Promise<void>;
}

export async function makeProject(schemaText: string): Promise<TestProject> {
  const home = newHome();
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const folder = join(home, 'zoo');
  const made = pristine.get(schemaText) ?? makeOnce(schemaText);
  pristine.set(schemaText, made);
  cpSync(await made, folder, { recursive: true });
  return openProject(folder);
}

/** Projects as they were made: to make one syncs hundreds of files. */
const pristine = new Map<string, Promise<string>>();

async function makeOnce(schemaText: string): Promise<string> {
  const home = newHome();
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
  const folder = join(home, 'zoo');
  const app = buildApp(parse(schemaText));
  await applyNew(renderNew(app, schemaText), { app, folder });
  return folder;
}

function newHome(): string {
  return mkdtempSync(join(tmpdir(), 'scaffold-project-'));
}

/** One that is there. */
export function openProject(folder: string): TestProject {
  const at = (path: string) => join(folder, path);
  const read = (path: string) => readFileSync(at(path), 'utf8');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  const plan = async (schemaText: string, wish: Partial<RunOptions> = {}) => {
    const { project, next, options } = await build(schemaText, wish);
    return planRegeneration(project, next, options);
  };
  const build = async (schemaText: string, wish: Partial<RunOptions>) => {
    const project = await readProject(folder);
    const options = wishFor(schemaText, wish);
    return { project, next: buildNext(project, options), options };
  };
  const apply = (it: Plan) =>
    withRunLock(folder, async () => {
      await recover(folder);
      await applyPlan(folder, it);
    });
  return {
    folder,
    read,
    exists: (path) => existsSync(at(path)),
    write,
    edit: (path, change) => {
      const text = read(path);
      if (change(text) === text) throw new Error(`Nothing is edited in ${path}.`);
      writeFileSync(at(path), change(text));
    },
    remove: (path) => rmSync(at(path), { recursive: true }),
    chmod: (path, mode) => chmodSync(at(path), mode),
    files: () => readTree(folder),
    plan,
    regenerate: async (schemaText, wish) => {
      const regeneration = await plan(schemaText, wish);
      await apply(regeneration.plan);
      return regeneration;
    },
    isUpToDate: async (schemaText) => {
      const { project, next, options } = await build(schemaText, {});
      return isUpToDate(project, next, options);
    },
    apply,
  };
}

export function wishFor(schemaText: string, wish: Partial<RunOptions>): RunOptions {
  return {
    schemaText,
    schema: parse(schemaText),
    renames: [],
    accepted: [],
    onConflict: 'markers',
    restore: [],
    ...wish,
  };
}

function parse(schemaText: string) {
  const { schema, problems } = parseSchema(schemaText);
  if (!schema) throw new Error(problems.map(({ message }) => message).join('\n'));
  return schema;
}

/** What a plan does, a line a file: `update src/posts/schema.ts`. */
export function actions({ plan }: Pick<Regeneration, 'plan'>): readonly string[] {
  return plan.changes.map(({ action, from, path }) =>
    from === undefined ? `${action} ${path}` : `${action} ${from} → ${path}`,
  );
}

function readTree(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !/^\.scaffold\/(run|undo)/.test(path))
    .toSorted();
  return Object.fromEntries(
    paths
      .filter((path) => statSync(join(folder, path)).isFile())
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  );
}

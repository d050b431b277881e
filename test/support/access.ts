import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { App } from '../../src/model/app.ts';
import { isRanked, isSoftlyDeleted, listRoles } from '../../src/model/lookups.ts';
import { buildApp } from '../../src/model/build.ts';
import { parseSchema } from '../../src/schema/parse.ts';
import type { Engine } from './built-app.ts';
import { drawnRules } from './drawn-rules.ts';
import { emit, writeFiles } from './emit.ts';
import { install } from './install.ts';
import { nodeVersion } from './node-version.ts';
import { freshDatabase } from './postgres.ts';
import { schemaOfProduct } from './products.ts';
import { root } from './root.ts';
import { runTests } from './run-tests.ts';
import { hanging, run } from './run.ts';
import { scratchFolder } from './scratch.ts';
import { searchSeed } from './trials.ts';

/**
 * Who may do what, against an oracle that decides by loops over the rows: `fixtures/access/oracle.ts`. A world is a few
 * models with rules drawn at random; one project holds many that know nothing of each other, because it costs more to
 * start a server than to ask it.
 */

export const seed = searchSeed();
export const engines = ['sqlite', 'postgres'] as const;

export interface Drawing {
  /** How many worlds, and how often each is asked for a change. */
  readonly count: number;
  readonly changes: number;
}

/** What is changed of a schema before it is emitted. */
type Revise = (text: string) => string;
export const asItIs: Revise = (text) => text;

/** A project of that many worlds. */
export async function drawn(
  from: number,
  engine: Engine,
  { count, changes }: Drawing,
  revise = asItIs,
): Promise<string> {
  const { text, groups } = drawnRules(from, count);
  const { folder, app } = await emitted(revise(text), engine);
  await ask(folder, app, { seed: from, groups, changes });
  return folder;
}

/** All models of a product, asked by the oracle. */
export async function product(name: string, engine: Engine, revise = asItIs): Promise<string> {
  const { folder, app } = await emitted(revise(schemaOfProduct(name)), engine);
  const models = app.models.map((model) => model.name);
  const drawing = models.filter((model) => model !== 'User');
  await ask(folder, app, { groups: [{ drawn: drawing, asked: models, few: 1 }], changes: 400 });
  return folder;
}

/** Organisations and their members, with a test of what is promised of those. */
export async function tenants(engine: Engine, revise = asItIs): Promise<string> {
  const text = await readFile(join(root, 'fixtures/access/members.yaml'), 'utf8');
  const { folder } = await emitted(revise(text), engine);
  await cp(join(root, 'fixtures/access/members.test.ts'), join(folder, 'test/members.test.ts'));
  return folder;
}

async function ask(folder: string, app: App, asked: object): Promise<void> {
  await cp(join(root, 'fixtures/access/oracle.ts'), join(folder, 'test/oracle.ts'));
  const models = app.models.map((model) => ({
    ...model,
    path: `/api/${model.path}/`,
    softDelete: isSoftlyDeleted(model),
    ...(model.members && {
      members: model.members.map((kind) => ({ ...kind, isRanked: isRanked(kind, app) })),
    }),
  }));
  const enums = Object.fromEntries(
    app.enums.map(({ name, values }) => [name, values.map(({ value }) => value)]),
  );
  const world = { models, enums, roles: listRoles(app), seed, ...asked };
  await writeFile(join(folder, 'test/oracle.json'), JSON.stringify(world));
}

export async function emitted(schema: string, engine: Engine) {
  const text = `${schema}database: ${engine}\n`;
  const folder = await scratchFolder(`access-${engine}`);
  await writeFiles(folder, emit(text));
  await writeFile(join(folder, 'schema.yaml'), text);
  await install(folder);
  const parsed = parseSchema(text);
  if (parsed.schema === undefined) throw new Error('The schema is refused.');
  return { folder, app: buildApp(parsed.schema) };
}

/**
 * What the oracle prints where the server answers otherwise; nothing where they agree. By a Node that reads TypeScript
 * itself and keeps what it compiled: a server of many models answers it all in two thirds of the time.
 */
export async function differences(folder: string, engine: Engine): Promise<string> {
  const file = `file:${join(await scratchFolder('access-rows'), 'rows.db')}`;
  const env = {
    DATABASE_URL: engine === 'sqlite' ? file : await freshDatabase(),
    // On a busy machine, what takes long is not refused.
    DATABASE_STATEMENT_TIMEOUT_MS: String(hanging),
  };
  const program = ['scripts/typescript.js', 'test/oracle.ts'];
  const timeout = 3 * hanging;
  const node = await nodeVersion(24);
  const { code, stdout, stderr } = await run(node, program, { cwd: folder, env, timeout });
  return code === 0 ? '' : `${stdout}\n${stderr}`;
}

/** What a project's own tests print when one fails, of all of them or of a file: they stop there. */
export async function failures(folder: string, engine: Engine, file = ''): Promise<string> {
  const env = engine === 'postgres' ? { TEST_DATABASE_URL: await freshDatabase() } : {};
  const { code, stdout, stderr } = await runTests(folder, env, file);
  return code === 0 ? '' : `${stdout}\n${stderr}`;
}

/** What is found in a project while a fault stands in it. */
export async function whileBroken<Found>(
  path: string,
  [right, broken]: readonly [string, string],
  find: () => Promise<Found>,
): Promise<Found> {
  const text = await readFile(path, 'utf8');
  expect(text).toContain(right);
  try {
    await writeFile(
      path,
      text.replaceAll(right, () => broken),
    );
    return await find();
  } finally {
    await writeFile(path, text);
  }
}

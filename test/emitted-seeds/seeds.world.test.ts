import { readFileSync } from 'node:fs';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { App, Field, Model } from '../../src/model/app.ts';
import { listRoles } from '../../src/model/lookups.ts';
import { withDatabase } from '../../src/commands/edit-schema.ts';
import { orderMoments } from '../../src/render/views/seed/moments.ts';
import { listProgress } from '../../src/render/views/seed/progress.ts';
import { emit, writeFiles } from '../support/emit.ts';
import { installed, readDependencies } from '../support/install.ts';
import { legalSchema } from '../support/legal/schema.ts';
import { freshDatabase } from '../support/postgres.ts';
import { root } from '../support/root.ts';
import { say } from '../support/say.ts';
import { scratchFolder } from '../support/scratch.ts';
import { searchSeed, trials } from '../support/trials.ts';
import { withAgenda } from './agenda.ts';
import { oddities } from './believable.ts';
import { domains, findAll, planted } from './domains.ts';
import { pairs } from './pairs.ts';
import { type Added, appOf, seeded } from './seeded.ts';

const seed = searchSeed();
const numRuns = trials({ quick: 2, full: 5, deep: 200 });
const count = 30;

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const known = {
  blog: read('templates/examples/blog.yaml'),
  shop: read('templates/examples/shop.yaml'),
  'every-type': read('fixtures/apps/every-type/sqlite/schema.yaml'),
};

describe.each(['sqlite', 'postgres'] as const)('seeds on %s', (engine) => {
  let folder = '';

  beforeAll(async () => {
    folder = await scratchFolder(`seeds-${engine}`);
    await write('first', known.blog);
    const modules = await installed(await readDependencies(join(folder, 'first')));
    await symlink(modules, join(folder, 'node_modules'), 'dir');
  });

  test.each(Object.entries(known))('every table of %s is filled as asked', async (name, text) => {
    const { runs, odd } = await examine(name, text);
    expect(odd).toEqual([]);
    expect(runs.flat().filter(({ rows, wanted }) => rows !== wanted)).toEqual([]);
  });

  test(`${numRuns} random schemas are filled believably, as far as unique values allow`, async () => {
    say(`seeds of random schemas: SEED=${seed}, ${numRuns} for ${engine}`);
    const drawn = fc.sample(withAgenda(legalSchema(engine)), { seed, numRuns });
    for (const [at, { text, file }] of drawn.entries()) {
      const { app, runs, odd } = await examine(`random-${at}`, text, file);
      expect(odd, `SEED=${seed}\n${text}`).toEqual([]);
      expect(runs.flat().filter((added) => lacksRows(added, app))).toEqual([]);
    }
  });

  test('rows that are not believable are detected', async () => {
    const draw = await write('planted', planted);
    const text = await readFile(draw, 'utf8');
    const late = text.replace('day -= gapBefore(', 'day += gapBefore(');
    const dear = late.replace('total(amounts) - total(less)', 'total(amounts) + total(less)');
    expect([late === text, dear === late]).toEqual([false, false]);
    await writeFile(draw, dear);
    const { odd } = await examine('planted', planted, 'schema.yaml', true);
    expect(odd).toContainEqual(expect.stringContaining('Show starts_on'));
    expect(odd).toContainEqual(expect.stringContaining('Bill.total is'));
  });

  test(`${pairs.length} pairs of moments are in order, in whatever order their fields are`, async () => {
    const { story } = await import(join(folder, 'first/seeds/draw.ts'));
    const inOrder = ([first, later]: readonly [string, string], names: readonly string[]) => {
      const moments = orderMoments(names.map(momentCalled), '');
      const events = moments.map(({ name, field: { type }, gap }) => [
        name,
        gap === undefined ? type.kind : `${type.kind}, ${gap} later`,
      ]);
      const drawn = listProgress(moments).flatMap((it) =>
        Array.from({ length: 7 }, () => story(it, Object.fromEntries(events))),
      );
      return drawn.every((row) => row[first] < row[later]);
    };
    const wrong = pairs.filter((pair) => !inOrder(pair, pair));
    expect(wrong).toEqual([]);
    // Where no story fits them, or two do, they stay in the order of the fields.
    const told = pairs.filter((pair) => inOrder(pair, pair.toReversed()));
    expect(told.length).toBeGreaterThan(pairs.length * 0.9);
  });

  test.each(domains)('rows of $name agree with each other', async ({ name, text, wrong }) => {
    const project = join(folder, name);
    await write(name, text);
    const it = await seeded(project, { url: await urlOf(project), count: 100, times: 2 });
    const found = await findAll(it, wrong);
    await it.close();
    expect(found).toEqual([]);
  });

  test('two projects get the same rows on the same day', async () => {
    const projects = await Promise.all(['one', 'two'].map((name) => write(name, known.shop)));
    const tables = [];
    for (const at of projects.keys()) {
      const project = join(folder, at === 0 ? 'one' : 'two');
      const it = await seeded(project, { url: await urlOf(project), count, times: 2 });
      tables.push(await it.rowsOf('products'), await it.rowsOf('order_lines'));
      await it.close();
    }
    expect(tables[0]).toHaveLength(2 * count);
    expect(tables.slice(2)).toEqual(tables.slice(0, 2));
  });

  async function write(name: string, text: string, file = 'schema.yaml'): Promise<string> {
    await writeFiles(join(folder, name), emit(withDatabase({ text, file }, engine).text));
    return join(folder, name, 'seeds/draw.ts');
  }

  async function examine(name: string, text: string, file = 'schema.yaml', isWritten = false) {
    const project = join(folder, name);
    if (!isWritten) await write(name, text, file);
    const app = appOf(text);
    const it = await seeded(project, { url: await urlOf(project), count, times: 2 });
    const odd: string[] = [];
    for (const model of app.models) {
      const rows = await it.rowsOf(model.table);
      const made = it.runs.flat().filter(({ table }) => table === model.table);
      if (rows.length !== made.reduce((sum, added) => sum + added.rows, 0)) odd.push(model.table);
      odd.push(...oddities(model, rows, app));
    }
    for (const { table } of app.joinTables) {
      if ((await it.rowsOf(table)).length === 0) odd.push(`${table} is empty`);
    }
    const users = await it.rowsOf(app.models[0]?.table ?? '');
    for (const role of listRoles(app)) {
      const email = `${role.toLowerCase()}@example.com`;
      const isThere = users.some((user) => user['email'] === email && user['role'] === role);
      if (!isThere) odd.push(`nobody has the role ${role}`);
    }
    await it.close();
    return { app, runs: it.runs, odd };
  }

  async function urlOf(project: string): Promise<string> {
    return engine === 'sqlite' ? `file:${join(project, 'seeded.db')}` : freshDatabase();
  }
});

function momentCalled(name: string): Field {
  const type = name.endsWith('_on') ? 'date' : 'datetime';
  const text = `{ version: 1, app: { name: one }, models: { Thing: { fields: { ${name}: ${type} } } } }`;
  const field = appOf(text)
    .models.at(-1)
    ?.fields.find((it) => it.name === name);
  if (field !== undefined) return field;
  throw new Error(`There is no field ${name}.`);
}

/** Whether there are fewer rows than were asked for, although no unique constraint limits them. */
function lacksRows({ table, rows, wanted }: Added, app: App): boolean {
  const model = app.models.find((each) => each.table === table);
  return rows < wanted && model !== undefined && !hasNarrow(model);
}

function hasNarrow({ unique, fields }: Model): boolean {
  const isNarrow = (name: string) => fields.some((field) => field.name === name && hasFew(field));
  return unique.some((constraint) => constraint.fields.every(isNarrow));
}

/** Whether there may be too few values for all rows, or it is a key to such rows. */
function hasFew({ type, min, max, pattern }: Field): boolean {
  if (['enum', 'bool', 'id', 'date', 'time'].includes(type.kind)) return true;
  if (['int', 'bigint', 'float', 'decimal'].includes(type.kind))
    return min !== undefined || max !== undefined;
  return pattern !== undefined || Number(max ?? Infinity) < 10;
}

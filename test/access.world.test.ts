import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { App } from '../src/model/app.ts';
import { buildApp } from '../src/model/build.ts';
import { parseSchema } from '../src/schema/parse.ts';
import type { Engine } from './support/built-app.ts';
import { drawnRules } from './support/drawn-rules.ts';
import { emit, writeFiles } from './support/emit.ts';
import { install } from './support/install.ts';
import { freshDatabase } from './support/postgres.ts';
import { root } from './support/root.ts';
import { run } from './support/run.ts';
import { say } from './support/say.ts';
import { scratchFolder } from './support/scratch.ts';
import { searchSeed, trials } from './support/trials.ts';

/**
 * Who may do what, against an oracle that decides by loops over the rows: `fixtures/access/oracle.test.ts`. A world is a few
 * models with rules drawn at random; one project holds many that know nothing of each other, because it costs more to
 * start a server than to ask it.
 */

const seed = searchSeed();
const engines = ['sqlite', 'postgres'] as const;
const inProject = 25;
const projects = trials({ quick: 1, full: 6, deep: 60 });

describe.each(engines)('rules drawn at random on %s', (engine) => {
  test(`${projects * inProject} worlds answer as the oracle does`, async () => {
    for (let round = 0; round < projects; round++) {
      say(`rules at random: SEED=${seed}, project ${round} on ${engine}`);
      const folder = await drawn(seed + round, engine, { count: inProject, changes: 40 });
      const found = await differences(folder, engine);
      expect(found, `SEED=${seed + round} RUNS=1 draws it again`).toBe('');
    }
  });
});

const products = ['signing', 'surveys', 'school', 'shop', 'tracker'];

describe.each(products)('%s', (name) => {
  test.each(engines)('answers as the oracle does on %s', async (engine) => {
    const folder = await product(name, engine);
    expect(await differences(folder, engine)).toBe('');
  });

  test('its own tests pass', async () => {
    expect(await differences(await product(name, 'sqlite'), 'sqlite', '')).toBe('');
  });
});

/** For each word, what could have been forgotten: where it stands, how it reads, and what it would be without. */
const faults: readonly (readonly [string, string, string, string])[] = [
  ['restore', 'src/lib/access.ts', 'rules.restore ?? nobody', 'everyone'],
  ['create', 'src/lib/reply.ts', 'return isShown ?', 'return true ?'],
  ['few rows', 'src/lib/list/ways.ts', '`${areMany} = 0`', '`${areMany} = 2`'],
  ['many rows', 'src/lib/list/page.ts', 'foundBy(walked(rule))', 'foundBy(true)'],
  ['refer', 'src/lib/references.ts', 'to.policy.refer(inSql(viewer))', 'true'],
  ['if', 'src/lib/access.ts', 'before: allOf(who, before)', 'before: who'],
  ['then', 'src/lib/access.ts', 'after: allOf(who, then)', 'after: who'],
  ['who after', 'src/lib/access.ts', 'after: allOf(who, then)', 'after: then'],
  ['only', 'src/lib/access.ts', 'allOf(...all, only)', 'allOf(...all)'],
  ['via', 'src/lib/via.ts', '...admitted(there, condition)', ''],
  ['via what was deleted', 'src/lib/via.ts', '...alive(there), ', ''],
  ['me', 'src/lib/conditions.ts', 'viewer.value(column)', "viewer.value('id')"],
  ['over', 'src/lib/conditions.ts', ' where ${condition}`', '`'],
  ['is null', 'src/lib/conditions.ts', 'value === null) return', 'value === null) return true ||'],
  ['among', 'src/lib/agreement.ts', 'if (wrong.length === 0) return;', 'return;'],
  ['among, of the other key', 'src/lib/agreement.ts', '|| Object.hasOwn(input, other)', ''],
  ['among members', 'src/lib/members.ts', '() => isOf(column(of))', 'everyone'],
  ['among members of a role', 'src/lib/members.ts', 'names.length === 0 ?', 'names.length >= 0 ?'],
  ['is', 'src/lib/access.ts', '= ${viewer.id}`', '<> ${viewer.id}`'],
  ['members', 'src/lib/members.ts', 'allOf(isViewer, living, rule)', 'allOf(living, rule)'],
  ['members if', 'src/lib/members.ts', 'id`, viewer, counted)', 'id`, viewer, everyone)'],
  ['members of a role', 'src/lib/members.ts', 'allOf(where, isOneOf(wanted))', 'where'],
  ['members by a link', 'src/lib/members.ts', ', link())(', ')('],
  ['first', 'src/lib/first-member.ts', 'by.id === 0) return', 'by.id >= 0) return'],
  ['up to one’s own', 'src/lib/members.ts', '!isRanked || upToOwn', 'isRanked || upToOwn'],
  ['the last one', 'src/lib/members.ts', 'if (found.length === 0) throw', 'if (1 > 2) throw'],
  ['link', 'src/lib/link.ts', '= ${sentHash}`', '<> ${sentHash}`'],
  ['shares', 'src/lib/shares.ts', 'among(of, shared)', 'true'],
  ['shares, of mine', 'src/lib/shares.ts', '...admitted(there, mine)', ''],
  ['read of a field', 'src/lib/access.ts', 'read: bound(read)', 'read: bound(everyone)'],
  ['write of a field', 'src/lib/access.ts', 'write: bound(write)', 'write: bound(everyone)'],
];

test.concurrent.each(faults)(
  'the oracle sees that `%s` is broken',
  async (_, file, right, broken) => {
    for (const [round, drawing] of drawings.entries()) {
      wholes[round] ??= drawn(seed + round, 'sqlite', drawing);
      const folder = await scratchFolder('access-fault');
      await cp(await wholes[round], folder, { recursive: true, verbatimSymlinks: true });
      await plant(join(folder, file), right, broken);
      // It answers, and otherwise: a project that does not start proves nothing.
      if ((await differences(folder, 'sqlite')).includes('AssertionError')) return;
    }
    expect.fail(`No answer of ${drawings.length} projects was another one.`);
  },
);

/** The projects of which a fault breaks copies until it is seen: few show what is asked for rarely. */
const drawings: readonly Drawing[] = [
  { count: 10, changes: 100 },
  { count: 25, changes: 300 },
  { count: 25, changes: 300 },
  { count: 25, changes: 300 },
];
const wholes: Promise<string>[] = [];

describe.each(engines)('members of a tenant on %s', (engine) => {
  test('are asked for before and after a write', async () => {
    const folder = await tenants(engine);
    expect(await differences(folder, engine, 'test/members.test.ts')).toBe('');
  });
});

/** For each promise about members, what could have been forgotten. */
const memberFaults: readonly (readonly [string, string, string, string])[] = [
  ['first', 'src/lib/first-member.ts', 'by.id === 0) return', 'by.id >= 0) return'],
  ['if', 'src/lib/members.ts', 'id`, viewer, counted)', 'id`, viewer, everyone)'],
  [
    'before a row is made',
    'src/lib/write.ts',
    'if (attempt.resource.policy.gives.length > 0) await',
    'if (1 > 2) await',
  ],
  ['up to one’s own', 'src/lib/members.ts', '!isRanked || upToOwn', 'isRanked || upToOwn'],
  [
    'invited to the highest',
    'src/lib/members.ts',
    'isOneOf(roles.slice(index + 1))',
    '() => false',
  ],
  ['the last one', 'src/lib/members.ts', 'if (found.length === 0) throw', 'if (1 > 2) throw'],
  [
    'who is not accepted',
    'src/lib/members.ts',
    'allOf(living, where, lasting)',
    'allOf(living, lasting)',
  ],
  ['unless an admin', 'src/lib/write.ts', 'isAdmin(viewer) ? []', 'isAdmin(null) ? []'],
];

test.concurrent.each(memberFaults)(
  'the test of members sees that `%s` is broken',
  async (_, file, right, broken) => {
    const folder = await tenants('sqlite');
    await plant(join(folder, file), right, broken);
    expect(await differences(folder, 'sqlite', 'test/members.test.ts')).toContain('AssertionError');
  },
);

/** What a project's own tests ask of its words. */
const ownFaults: readonly (readonly [string, string, string, string, string])[] = [
  ['tracker', 'issues', 'agreement.ts', 'if (wrong.length === 0) return;', 'return;'],
  ['school', 'grades', 'agreement.ts', 'if (wrong.length === 0) return;', 'return;'],
  ['signing', 'recipients', 'link.ts', '= ${sentHash}`', '<> ${sentHash}`'],
  ['signing', 'users', 'shares.ts', 'among(of, shared)', '1 > 2'],
  ['tracker', 'issues', 'access.ts', '= ${viewer.id}`', '<> ${viewer.id}`'],
  ['signing', 'documents', 'conditions.ts', '${left} ${compared} ${bound(value)}', '1 = 1'],
  ['school', 'grades', 'via.ts', '...admitted(there, condition)', ''],
];

test.concurrent.each(ownFaults)(
  'the own tests of the %s see in %s that %s is broken',
  async (name, asking, file, right, broken) => {
    const folder = await product(name, 'sqlite');
    await plant(join(folder, 'src/lib', file), right, broken);
    expect(await differences(folder, 'sqlite', `test/${asking}.test.ts`)).toContain(
      'AssertionError',
    );
  },
);

async function tenants(engine: Engine): Promise<string> {
  const text = await readFile(join(root, 'fixtures/access/members.yaml'), 'utf8');
  const { folder } = await emitted(`${text}database: ${engine}\n`, engine);
  await cp(join(root, 'fixtures/access/members.test.ts'), join(folder, 'test/members.test.ts'));
  return folder;
}

/** All models of a product, asked by the oracle. */
async function product(name: string, engine: Engine): Promise<string> {
  const text = await readFile(join(root, `fixtures/access/products/${name}.yaml`), 'utf8');
  const { folder, app } = await emitted(`${text}database: ${engine}\n`, engine);
  const types = app.models.map(({ names }) => names.type);
  const drawing = types.filter((type) => type !== 'User');
  await ask(folder, app, { groups: [{ drawn: drawing, asked: types }], changes: 400 });
  return folder;
}

interface Drawing {
  /** How many worlds, and how often each is asked for a change. */
  readonly count: number;
  readonly changes: number;
}

/** A project of that many worlds. */
async function drawn(from: number, engine: Engine, { count, changes }: Drawing): Promise<string> {
  const { text, groups } = drawnRules(from, count);
  const { folder, app } = await emitted(`${text}database: ${engine}\n`, engine);
  await ask(folder, app, { groups, changes });
  return folder;
}

async function ask(folder: string, app: App, asked: object): Promise<void> {
  await cp(join(root, 'fixtures/access/oracle.test.ts'), join(folder, 'test/oracle.test.ts'));
  const models = app.models.map((model) => ({ ...model, path: `/api/${model.path}/` }));
  const enums = Object.fromEntries(
    app.enums.map(({ name, values }) => [name, values.map(({ value }) => value)]),
  );
  const world = { models, enums, roles: app.roles, seed, ...asked };
  await writeFile(join(folder, 'test/oracle.json'), JSON.stringify(world));
}

async function plant(path: string, right: string, broken: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  expect(text).toContain(right);
  await writeFile(
    path,
    text.replaceAll(right, () => broken),
  );
}

async function emitted(text: string, engine: Engine) {
  const folder = await scratchFolder(`access-${engine}`);
  await writeFiles(folder, emit(text));
  await writeFile(join(folder, 'schema.yaml'), text);
  await install(folder);
  const { schema } = parseSchema(text);
  if (schema === undefined) throw new Error('The schema is refused.');
  return { folder, app: buildApp(schema) };
}

async function differences(
  folder: string,
  engine: Engine,
  asking = 'test/oracle.test.ts',
): Promise<string> {
  const env = engine === 'postgres' ? { TEST_DATABASE_URL: await freshDatabase() } : {};
  const { code, stdout, stderr } = await run('node_modules/.bin/vitest', ['run', asking], {
    cwd: folder,
    env,
  });
  return code === 0 ? '' : `${stdout}\n${stderr}`;
}

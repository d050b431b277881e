import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildApp } from '../src/model/build.ts';
import { agreeingOf, type Model } from '../src/model/app.ts';
import { parseSchema } from '../src/schema/parse.ts';
import type { Engine } from './support/built-app.ts';
import { emit, writeFiles } from './support/emit.ts';
import { install } from './support/install.ts';
import { freshDatabase } from './support/postgres.ts';
import { root } from './support/root.ts';
import { run } from './support/run.ts';
import { say } from './support/say.ts';
import { scratchFolder } from './support/scratch.ts';
import { searchSeed, trials } from './support/trials.ts';

/** Who may do what, against an oracle that decides by loops over the rows: `fixtures/access/oracle.test.ts`. */

const seed = searchSeed();
const rounds = trials({ quick: 1, full: 4, deep: 300 });
const models = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon', 'Zeta', 'Eta'];

describe.each(['sqlite', 'postgres'] as const)('rules drawn at random on %s', (engine) => {
  test(`${rounds} projects answer as the oracle does`, async () => {
    for (let round = 0; round < rounds; round++) {
      say(`rules at random: SEED=${seed}, round ${round} on ${engine}`);
      const folder = await project(drawnSchema(chanceOf(seed + round), engine), engine);
      expect(
        await differences(folder, engine),
        await readFile(join(folder, 'schema.yaml'), 'utf8'),
      ).toBe('');
    }
  });
});

/** For each word, what could have been forgotten. */
const faults: readonly (readonly [string, string, string, string])[] = [
  ['restore', 'src/lib/access.ts', 'rules.restore ?? nobody', 'everyone'],
  ['create', 'src/lib/reply.ts', 'return isShown ?', 'return true ?'],
  ['refer', 'src/lib/references.ts', 'to.policy.refer(inSql(viewer))', 'true'],
  ['if', 'src/lib/access.ts', 'before: allOf(who, before)', 'before: who'],
  ['then', 'src/lib/access.ts', 'after: allOf(who, then)', 'after: who'],
  ['who after', 'src/lib/access.ts', 'after: allOf(who, then)', 'after: then'],
  ['only', 'src/lib/access.ts', 'allOf(...all, only)', 'allOf(...all)'],
  ['via', 'src/lib/via.ts', '...admitted(there, condition)', ''],
  ['via what was deleted', 'src/lib/via.ts', '...alive(there), ', ''],
  ['me', 'src/lib/conditions.ts', 'viewer.value(column)', "viewer.value('id')"],
  ['over', 'src/lib/conditions.ts', ' where ${condition}`', '`'],
  [
    'is null',
    'src/lib/conditions.ts',
    'if (value === null) return',
    'if (value === null) return true || ',
  ],
  ['among', 'src/lib/agreement.ts', 'if (wrong.length === 0) return;', 'return;'],
  ['among, of the other key', 'src/lib/agreement.ts', '|| Object.hasOwn(input, other)', ''],
  ['among members', 'src/lib/members.ts', 'isOf(column(of))', 'true'],
  [
    'among members of a role',
    'src/lib/members.ts',
    'names.length === 0 ? where :',
    'names.length >= 0 ? where :',
  ],
  ['is', 'src/lib/access.ts', '= ${viewer.id}`', '<> ${viewer.id}`'],
  ['members', 'src/lib/members.ts', 'allOf(owner(user), living, rule)', 'allOf(living, rule)'],
  ['members if', 'src/lib/members.ts', 'joined(viewer, counted)', 'joined(viewer, everyone)'],
  ['members of a role', 'src/lib/members.ts', 'allOf(where, isOneOf(wanted))', 'where'],
];

test.concurrent.each(faults)(
  'the oracle sees that `%s` is broken',
  async (_, file, right, broken) => {
    const folder = await project(drawnSchema(chanceOf(seed), 'sqlite'), 'sqlite');
    await plant(join(folder, file), right, broken);
    // It answers, and otherwise: a project that does not start proves nothing.
    expect(await differences(folder, 'sqlite')).toContain('AssertionError');
  },
);

describe.each(['sqlite', 'postgres'] as const)('members of a tenant on %s', (engine) => {
  test('are asked for before and after a write', async () => {
    const folder = await tenants(engine);
    expect(await differences(folder, engine, 'test/members.test.ts')).toBe('');
  });
});

/** For each promise about members, what could have been forgotten. */
const memberFaults: readonly (readonly [string, string, string, string])[] = [
  ['first', 'src/lib/first-member.ts', 'by.id === 0) return', 'by.id >= 0) return'],
  ['if', 'src/lib/members.ts', 'joined(viewer, counted)', 'joined(viewer, everyone)'],
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

/** A school and an issue tracker: what their own tests ask of keys that have to agree. */
describe.each(['tracker', 'school'])('the own tests of the %s', (name) => {
  test('pass', async () => {
    expect(await differences(await product(name), 'sqlite', 'test')).toBe('');
  });

  test('see that keys need not agree any more', async () => {
    const folder = await product(name);
    const file = join(folder, 'src/lib/agreement.ts');
    await plant(file, 'if (wrong.length === 0) return;', 'return;');
    const asking = `test/${name === 'school' ? 'grades' : 'issues'}.test.ts`;
    expect(await differences(folder, 'sqlite', asking)).toContain('AssertionError');
  });
});

async function product(name: string): Promise<string> {
  const text = await readFile(join(root, `fixtures/access/products/${name}.yaml`), 'utf8');
  const folder = await emitted(text, 'sqlite');
  await install(folder);
  return folder;
}

async function tenants(engine: Engine): Promise<string> {
  const text = await readFile(join(root, 'fixtures/access/members.yaml'), 'utf8');
  const folder = await emitted(`${text}database: ${engine}\n`, engine);
  await cp(join(root, 'fixtures/access/members.test.ts'), join(folder, 'test/members.test.ts'));
  await install(folder);
  return folder;
}

async function plant(path: string, right: string, broken: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  expect(text).toContain(right);
  await writeFile(
    path,
    text.replaceAll(right, () => broken),
  );
}

async function emitted(text: string, engine: Engine): Promise<string> {
  const folder = await scratchFolder(`access-${engine}`);
  await writeFiles(folder, emit(text));
  await writeFile(join(folder, 'schema.yaml'), text);
  return folder;
}

async function project(text: string, engine: Engine): Promise<string> {
  const folder = await emitted(text, engine);
  await cp(join(root, 'fixtures/access/oracle.test.ts'), join(folder, 'test/oracle.test.ts'));
  const parsed = parseSchema(text);
  if (parsed.schema === undefined) throw new Error('The schema is refused.');
  const known = buildApp(parsed.schema).models.map((model) => [model.names.type, plain(model)]);
  const world = { models: Object.fromEntries(known), asked: models, seed, calls: 2000 };
  await writeFile(join(folder, 'test/oracle.json'), JSON.stringify(world));
  await install(folder);
  return folder;
}

const plain = ({ table, path, owner, relations, access, members }: Model) => ({
  agreeing: agreeingOf({ relations }),
  table,
  path: `/api/${path}/`,
  owner,
  targets: Object.fromEntries(relations.map(({ name, target }) => [name, target])),
  access,
  members,
});

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

type Chance = <Value>(values: readonly Value[]) => Value;

function chanceOf(from: number): Chance {
  let state = from;
  return (values) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const value = values[Math.floor((state / 2 ** 32) * values.length)];
    if (value === undefined) throw new Error('There is nothing to draw from.');
    return value;
  };
}

const seers = [
  'public',
  'authenticated',
  'owner',
  'office',
  'is reviewer',
  'via team',
  'via team.update',
  'helper',
  'helper(writer)',
  'guest',
];
/** Rows that members alone would read are not made by others. */
const strangers = seers.slice(0, -3);
const writers = [
  'authenticated',
  'owner',
  'office',
  'is reviewer',
  'via team',
  'via team.read',
  'helper(writer)',
  'guest',
];
const makers = ['authenticated', 'office', 'is reviewer', 'via team', 'via team.read'];
const conditions = [
  'status = draft',
  'status != sent',
  'status in (draft, sent)',
  'price > 4.50',
  'price <= 4.50',
  'note is null',
  'note != x',
  'released_at <= now',
  'opened_at <= now',
  'code is null',
  'kind = plain',
  'is_open = true',
  'reviewer is not null',
  'team.name = red',
  'team.organisation.plan = free',
  'team.organisation is null',
  'organisation.plan is null',
  'organisation = me.organisation',
  'organisation.plan = me.organisation.plan',
  'note = me.name',
  'status = draft and is_open = true',
];
/**
 * With what the reviewer has to agree, model by model: with nothing, where reviewers are the first who may change a row, or
 * hardly any key would be refused for moving it out of their reach alone.
 */
const agreements =
  'organisation,,team.organisation,,team.mate,team.mate(captain),team.mate(captain)'.split(',');
const only = [
  'only if is_open = true',
  'only authenticated',
  'only if organisation = me.organisation',
];

function drawnSchema(chance: Chance, engine: Engine): string {
  const entry = (who: readonly string[], isUpdate = false) => {
    const condition = chance([true, true, false]) ? ` if ${chance(conditions)}` : '';
    const result = isUpdate && chance([true, false]) ? ` then ${chance(conditions)}` : '';
    return `${chance(who)}${condition}${result}`;
  };
  const rule = (who: readonly string[], isUpdate = false, first = who) => {
    const count = chance([0, 1, 2]);
    const entries = [first, ...Array.from({ length: count }, () => who)].map((each) =>
      entry(each, isUpdate),
    );
    const narrowed = chance([true, false, false]) ? [chance(only)] : [];
    return JSON.stringify([...new Set([...entries, ...narrowed])]);
  };
  // What nobody sends decides who may make the last ones.
  const made = ['authenticated if opened_at <= now and kind = plain and code is null'];
  const drawn = models.map((name, index) => {
    const among = agreements[index] ? `, among: ${agreements[index]}` : '';
    const all =
      index % 3 === 0 ? `\n      all: ${JSON.stringify([only[index === 0 ? 2 : 0]])}` : '';
    return `
  ${name}:
    owner: author
    soft_delete: true
    fields:
      title: string(1..80) unique
      status: Status = draft
      price: decimal(6,2)?
      note: string?
      is_open: bool = true
      released_at: datetime?
      opened_at: datetime = now
      kind: string(1..20) = plain hidden readonly
      code: string? hidden readonly
    relations: { author: User, team: Team, reviewer: { to: User, optional: true${among} }, organisation: Organisation? }
    members: { helper: { by: Share, if: is_open = true }, guest: { by: Share, if: role = reader } }
    access:${all}
      read: ${rule(seers, false, strangers)}
      create: ${index === 6 ? JSON.stringify(made) : rule(makers)}
      update: ${rule(writers, true, writers.slice(index % 6, (index % 6) + 1))}
      delete: ${rule(writers)}
      restore: ${rule(writers)}`;
  });
  return `version: 1
app: { name: rules }
database: ${engine}
auth: { roles: [office] }
enums: { Status: [draft, sent, archived], ShareRole: [reader, writer], MateRole: [player, captain] }
models:
  User:
    relations: { organisation: Organisation? }
  Organisation:
    fields: { name: string(1..80), plan: string(1..20) }
    access: { read: authenticated, create: admin }
  Team:
    owner: lead
    soft_delete: true
    fields: { name: string(1..80) }
    relations: { lead: User, organisation: Organisation? }
    members: { mate: { by: Mate, if: is_open = true } }
    access:
      read: [owner, office, authenticated if organisation = me.organisation]
      refer: [owner, office, authenticated if name = red]
      update: owner
  Mate:
    fields: { role: MateRole = player, is_open: bool = true }
    relations: { user: User, team: Team }
    access: { read: authenticated }
  Share:
    fields: { role: ShareRole = reader, is_open: bool = true }
    relations: { user: User, ${models.map((name) => `${name.toLowerCase()}: ${name}?`).join(', ')} }
    access: { read: authenticated }${drawn.join('')}
`;
}

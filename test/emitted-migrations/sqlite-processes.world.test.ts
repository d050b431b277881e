import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { emit, writeFiles } from '../support/emit.ts';
import { install } from '../support/install.ts';
import { nodeVersion } from '../support/node-version.ts';
import { must, run, type Run } from '../support/run.ts';
import { say } from '../support/say.ts';
import { scratchFolder } from '../support/scratch.ts';
import { testSecret } from '../support/server.ts';
import { isDeep, trials } from '../support/trials.ts';
import { oneChecker } from '../support/type-check.ts';
import { evolved, writeHistory } from './support/history.ts';
import { plantMillion, sumsOf } from './support/million.ts';
import { firstTree, plantTree, type Tree, treeSchema } from './support/tree.ts';

const middle = evolved(firstTree, treeSchema('string(..30)'));
const history = evolved(middle, treeSchema('string(..40)', ', size: int?'));
const ids = history.migrations.map(({ id }) => id);

/** A compiled project, whose command migrates the database that it is told. */
let project: string;
let node: string;

beforeAll(async () => {
  project = await scratchFolder('migrating');
  const head = 'version: 1\napp: { name: trees }\ndatabase: sqlite\n';
  await writeFiles(project, emit(`${head}${treeSchema('string(..40)', ', size: int?')}`));
  await writeHistory(join(project, 'migrations'), history);
  await install(project);
  await must('npm', ['run', 'build', '--', ...oneChecker], { cwd: project });
  await writeFile(join(project, 'killed.mjs'), killed);
});

function command(
  { url }: Pick<Tree, 'url'>,
  name: string,
  args: readonly string[] = [],
): Promise<Run> {
  return run(node, ['dist/cli.js', name, ...args], {
    cwd: project,
    env: { DATABASE_URL: url, AUTH_SECRET_KEY: testSecret },
  });
}

async function killedAfter(timeout: number, tree: Tree): Promise<number> {
  const env = { DATABASE_URL: tree.url, AUTH_SECRET_KEY: testSecret };
  const options = { cwd: project, env, timeout };
  return (await run(node, ['dist/cli.js', 'migrate'], options)).code;
}

function killedAt(point: number, tree: Tree, without = ''): Promise<Run> {
  return run(node, ['--import', './killed.mjs', 'dist/cli.js', 'migrate'], {
    cwd: project,
    env: {
      DATABASE_URL: tree.url,
      AUTH_SECRET_KEY: testSecret,
      KILL_AT: String(point),
      WITHOUT: without,
    },
  });
}

/** Up to Node 20 the SQLite driver is a package, from 22 on it is part of Node. */
describe.each(isDeep ? [20, 22, 24, 26] : [20, 24])('on Node %i', (major) => {
  beforeAll(async () => {
    node = await nodeVersion(major);
  });

  describe('eight processes that start at once', () => {
    const rounds = trials({ quick: 1, full: 1, deep: 100 });

    test(`apply each migration once, and no process fails (${rounds} times)`, async () => {
      for (let round = 1; round <= rounds; round += 1) {
        if (round % 10 === 0) say(`eight processes, round ${round} of ${rounds}`);
        const tree = await plantTree();
        const rows = tree.rows();
        const runs = await Promise.all(Array.from({ length: 8 }, () => command(tree, 'migrate')));
        expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(runs.map(() => [0, '']));
        const applied = runs.flatMap(({ stdout }) => stdout.match(/(?<=Applied )\w+/g) ?? []);
        expect(applied.toSorted()).toEqual(ids.slice(1));
        expect(tree.all('SELECT id FROM schema_migrations ORDER BY id')).toEqual(
          ids.map((id) => [id]),
        );
        expect(tree.rows()).toMatchObject(rows);
        tree.database.close();
      }
    });
  });

  describe('a process that is killed while it migrates', () => {
    test('leaves the database before or after a migration, and the next process goes on', async () => {
      const whole = await plantTree();
      const { stderr } = await killedAt(Number.MAX_SAFE_INTEGER, whole);
      const points = Number(/(\d+) points/.exec(stderr)?.[1]);
      expect(points).toBeGreaterThan(60);
      const ended = new Map<number, number>();
      for (let point = 1; point <= points; point += isDeep ? 1 : 24) {
        if (isDeep && point % 20 === 0) say(`killed at ${point} of ${points}`);
        const tree = await plantTree();
        const rows = tree.rows();
        expect((await killedAt(point, tree)).code).toBe(-1);
        const applied = tree.all('SELECT id FROM schema_migrations').length;
        ended.set(applied, (ended.get(applied) ?? 0) + 1);
        expect(tree.all('pragma integrity_check')).toEqual([['ok']]);
        expect(tree.rows()).toMatchObject(rows);
        expect(await isAsAfter(tree, applied)).toEqual([]);
        await tree.put(history);
        expect(await tree.up()).toEqual(ids.slice(applied));
        tree.database.close();
      }
      say(`killed at ${points} points; migrations applied by then: ${JSON.stringify([...ended])}`);
      expect(ended.size).toBeGreaterThan(1);
      whole.database.close();
    });

    test.runIf(isDeep)('rewrites all of a million rows or none', async () => {
      const tree = await plantMillion();
      const sums = sumsOf(tree);
      const waits: number[] = [];
      for (let wait = 250; ; wait += 150) {
        const code = await killedAfter(wait, tree);
        const applied = tree.all('SELECT id FROM schema_migrations').length;
        expect(sumsOf(tree)).toEqual(sums);
        expect(tree.all('pragma integrity_check')).toEqual([['ok']]);
        expect(await isAsAfter(tree, applied)).toEqual([]);
        if (code === 0) break;
        waits.push(wait);
      }
      say(`a million rows, killed after ${waits.join(', ')} ms`);
      expect(waits.length).toBeGreaterThan(3);
      tree.database.close();
    });

    test('would leave half a migration if it did not work inside a transaction', async () => {
      const points = Array.from({ length: 16 }, (_, index) => 36 + index);
      let isHalf = false;
      for (const point of points) {
        if (isHalf) break;
        const tree = await plantTree();
        await killedAt(point, tree, 'begin immediate');
        isHalf = (await isAsAfter(tree, 1)).length > 0;
        tree.database.close();
      }
      expect(isHalf).toBe(true);
    });
  });

  describe('the commands of a project', () => {
    test('say what is applied and what is pending, and how the tables differ', async () => {
      const tree = await plantTree();
      const before = await command(tree, 'status', ['--json']);
      expect([before.code, JSON.parse(before.stdout)]).toEqual([
        1,
        {
          applied: ids.slice(0, 1),
          pending: ids.slice(1),
          unknown: [],
          altered: [],
          concerned: [],
        },
      ]);
      await command(tree, 'migrate');
      const after = await command(tree, 'status', ['--json']);
      expect([after.code, JSON.parse(after.stdout)]).toMatchObject([
        0,
        { applied: ids, drift: [{ kind: 'extra', object: 'index own_partial' }, {}, {}, {}] },
      ]);
      const counted = await command(tree, 'status', ['--json', '--draft', await writeDraft()]);
      const migration = 'what_if';
      expect(JSON.parse(counted.stdout).concerned).toEqual([
        { migration, hazard: 'SCF412:Leaf.text', rows: 2 },
        { migration, hazard: 'SCF412:Node.size', rows: 0 },
      ]);
      tree.all('SELECT * FROM leaves');
      tree.database.exec('ALTER TABLE leaves DROP COLUMN text');
      const { code, stdout } = await command(tree, 'status');
      expect([code, stdout]).toEqual([1, expect.stringContaining('column leaves.text is missing')]);
      tree.database.close();
    });

    test('look for a database without creating it', async () => {
      const file = join(project, 'nowhere', 'app.db');
      const { code, stdout } = await command({ url: `file:${file}` }, 'status', ['--json']);
      expect([code, JSON.parse(stdout)]).toMatchObject([1, { applied: [], pending: ids }]);
      expect((await command({ url: `file:${file}` }, 'rollback')).stderr).toBe(
        'No migration is applied.',
      );
      expect(existsSync(dirname(file))).toBe(false);
    });

    test('and a server in production say what to do about a database that is newer than the code', async () => {
      const tree = await plantTree();
      await command(tree, 'migrate');
      tree.database.exec("INSERT INTO schema_migrations VALUES ('0009_later', '', '', 0)");
      const { code, stderr } = await run(node, ['dist/server.js'], {
        cwd: project,
        env: { DATABASE_URL: tree.url, AUTH_SECRET_KEY: testSecret, NODE_ENV: 'production' },
      });
      expect([code, stderr]).toEqual([
        1,
        'The database has migrations that this code does not have: 0009_later. Run the code that made them, or bring their folders into migrations/. Nothing was changed.',
      ]);
      tree.database.close();
    });

    test('say in a sentence why a migration is not taken back', async () => {
      const tree = await plantTree();
      await command(tree, 'migrate');
      tree.database.exec('UPDATE nodes SET size = 5 WHERE id = 1');
      const { code, stderr } = await command(tree, 'rollback');
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(
          /^0003_\w+ cannot be rolled back because of rows in the database; nothing was changed:/,
        ),
      ]);
      tree.database.close();
    });
  });
});

/** A migration that is not in the folder yet. */
async function writeDraft(): Promise<string> {
  const file = join(project, 'draft.json');
  const hazard = { code: 'SCF412', message: 'Gone.', stops: false };
  const hazards = [
    { ...hazard, target: 'Leaf.text', count: 'SELECT count(*) FROM leaves WHERE text IS NOT NULL' },
    { ...hazard, target: 'Node.size', count: 'SELECT count(*) FROM nodes WHERE size IS NOT NULL' },
    { ...hazard, target: 'Node' },
  ];
  await writeFile(file, JSON.stringify({ id: 'what_if', hazards }));
  return file;
}

/** How the tables differ from those after so many migrations. */
async function isAsAfter(tree: Tree, applied: number): Promise<readonly unknown[]> {
  await tree.put([firstTree, middle, history][applied - 1] ?? history);
  return (await tree.drift()).filter(({ kind }) => kind !== 'extra');
}

/** Counts the statements that a process sends to SQLite, a trigger as one, and kills the process at one of them. */
const killed = `
import { writeSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
const require = createRequire(import.meta.url);
const name = '@photostructure/sqlite';
const sqlite = require(isBuiltin('node:sqlite') ? 'node:sqlite' : name);
let points = 0;
function step() {
  points += 1;
  if (points === Number(process.env.KILL_AT)) process.kill(process.pid, 'SIGKILL');
}
class DatabaseSync extends sqlite.DatabaseSync {
  prepare(sql) {
    step();
    return super.prepare(sql);
  }
  exec(sql) {
    for (const statement of sql.split(/(?<=;)\\n(?! |END;)/)) {
      step();
      if (statement !== process.env.WITHOUT) super.exec(statement);
    }
  }
}
if (isBuiltin('node:sqlite')) sqlite.DatabaseSync = DatabaseSync;
else require.cache[require.resolve(name)].exports = { ...sqlite, DatabaseSync };
process.on('exit', () => writeSync(2, points + ' points'));
`;

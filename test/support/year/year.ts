import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Chance, chanceOf } from '../../attack/support/chance.ts';
import { check, regenerate, resolve } from '../../cli/in-process.ts';
import { diskTree } from '../../regenerate/support/edit.ts';
import { installed, readDependencies } from '../install.ts';
import { ownedProject, type OwnedProject } from '../owned-project.ts';
import { must, run } from '../run.ts';
import { startServer, testSecret, type Server } from '../server.ts';
import { oneChecker } from '../type-check.ts';
import { annsWork, bensWork, markOf, ownEdit, type Made, type Work } from './owners.ts';
import { startTraffic, type Failure } from './traffic.ts';
import { isUpgraded, makeOlder } from './upgrade.ts';

/** What came of a week. */
interface Week {
  readonly works: readonly string[];
  /** Files other than scaffold's own in which git saw a conflict. */
  readonly gitConflicts: readonly string[];
  /** What a person had to decide, beside what the two had planned to collide in. */
  readonly manual: readonly string[];
  /** The run has said that servers of before fail. */
  readonly announced: boolean;
  /** Nothing is gone and nothing has another name: the former image can serve on it. */
  readonly isAddition: boolean;
  /** Of requests before the new code came. */
  readonly earlier: readonly Failure[];
  /** Of requests to the former server while it came. */
  readonly failures: readonly Failure[];
  readonly requests: number;
  /** Marks of the owners' that are not there, or twice. */
  readonly lostMarks: readonly string[];
}

export interface Year {
  readonly project: OwnedProject;
  readonly url: string;
  week(number: number): Promise<Week>;
  /** Both want another rule for tags in the same run. */
  collide(week: number, side: 'ours' | 'theirs'): Promise<readonly string[]>;
  /** How many files a newer version writes otherwise; all of them have it then. */
  upgrade(quarter: number): Promise<{ readonly files: number; readonly isWhole: boolean }>;
  /** The former image serves on the new schema for a while; what failed. */
  rollBack(): Promise<readonly Failure[]>;
  /** Ids of comments that have to be there, once all that was sent is answered; no more is sent then. */
  kept(): Promise<readonly unknown[]>;
  end(): Promise<void>;
}

const email = 'eve@example.test';
const password = 'correct horse battery';

/** A blog with rows, readers and writers, and two people who work on it in branches of their own. */
export async function startYear(
  { engine, url }: { readonly engine: 'sqlite' | 'postgres'; readonly url: string },
  seed: number,
): Promise<Year> {
  const chance = chanceOf(seed);
  const { project, places, cli, start } = await openProject(engine, url);
  const { folder } = project;
  const git = gitIn(folder);
  let live: { place: string; server: Server } = { place: places.a, server: await start(places.a) };
  const first = await fetch(`${live.server.url}/api/posts/?limit=1`);
  const { items }: { items: readonly { id: number }[] } = JSON.parse(await first.text());
  const post = items[0]?.id ?? 0;
  const traffic = await startTraffic(live.server.url, { email, password, post });

  const made: Made = { fields: [], models: [], values: 0 };
  const marks: string[] = [];

  async function workOf(who: 'ann' | 'ben', number: number, draw: Chance) {
    const place = places[who];
    await gitIn(place)('checkout', '--quiet', '--force', '-B', who, 'main');
    const tree = diskTree(place);
    const work: Work = (who === 'ann' ? annsWork : bensWork)(number, draw, made);
    const edit = ownEdit(who, number, draw);
    edit.act(tree);
    marks.push(markOf(who, number));
    tree.write('schema.yaml', work.schema(tree.read('schema.yaml')));
    const { code, stderr, stdout } = await regenerate(place, work.flags ?? {});
    if (code !== 0) throw new Error(`${who}, ${work.name}: ${code}\n${stdout}${stderr}`);
    await commitAll(place, work.name);
    const name = `${who}: ${work.name}; ${edit.name}`;
    return { name, announced: isAnnounced(stderr), isAddition: work.isAddition ?? false };
  }

  /** Brings what is on the main branch to the people. */
  async function deploy(): Promise<Pick<Week, 'earlier' | 'failures' | 'requests'>> {
    const before = traffic.taken();
    const place = live.place === places.a ? places.b : places.a;
    await gitIn(place)('checkout', '--quiet', '--force', '--detach', 'main');
    await cli(place, 'migrate');
    const server = await start(place);
    await traffic.moveTo(server.url);
    const { failures, count } = traffic.taken();
    await live.server.stop();
    live = { place, server };
    return { earlier: before.failures, failures, requests: before.count + count };
  }

  async function mergeAndRegenerate() {
    const merges = [
      await runGit(folder, 'merge', '--quiet', '--no-edit', 'ann'),
      await runGit(folder, 'merge', '--quiet', '--no-edit', 'ben'),
    ];
    const open = await git('diff', '--name-only', '--diff-filter=U');
    const gitConflicts = open
      .split('\n')
      .filter((path) => path !== '' && !path.startsWith('.scaffold/'));
    const manual = gitConflicts.filter((path) => !/\.(?:ts|md|json|sql)$/.test(path));
    const ran = await regenerate(folder);
    const left = await markersIn(folder);
    if (ran.code !== 0) manual.push(`status ${ran.code}: ${ran.stdout}${ran.stderr}`);
    manual.push(...left);
    if (merges.some(({ code }) => code !== 0) || ran.code === 0) await commitAll(folder, 'merge');
    return { gitConflicts, manual, announced: isAnnounced(ran.stderr) };
  }

  return {
    project,
    url,
    async week(number) {
      const left = await git('status', '--porcelain');
      if (left !== '') throw new Error(`The week before has left work undone:\n${left}`);
      const works = [await workOf('ann', number, chance), await workOf('ben', number, chance)];
      const merged = await mergeAndRegenerate();
      const again = await regenerate(folder);
      const manual = [...merged.manual];
      if (!again.stdout.includes('Nothing was written')) manual.push(`restless: ${again.stdout}`);
      const { code } = await check(folder);
      if (code !== 0) manual.push(`check: ${code}`);
      const deployed = await deploy();
      return {
        works: works.map(({ name }) => name),
        gitConflicts: merged.gitConflicts,
        manual,
        announced: merged.announced || works.some(({ announced }) => announced),
        isAddition: works.every(({ isAddition }) => isAddition),
        ...deployed,
        lostMarks: lostMarks(folder, marks),
      };
    },
    async collide(week, side) {
      const tree = diskTree(folder);
      const mark = markOf('both', week);
      writeRivalRules(tree, mark);
      const ran = await regenerate(folder);
      const conflicts = [...ran.stdout.matchAll(/^ +conflict +(\S+)/gm)].map(([, it = '']) => it);
      const resolved = await resolve(folder, { [side]: true });
      if (resolved.code !== 0) throw new Error(resolved.stdout + resolved.stderr);
      if (side === 'ours') marks.push(mark);
      await must(join('node_modules/.bin', 'tsc'), ['--noEmit', ...oneChecker], { cwd: folder });
      await commitAll(folder, 'a rule');
      // The next to collide takes the place of this one.
      if (side === 'ours') marks.pop();
      return conflicts;
    },
    async upgrade(quarter) {
      const tree = diskTree(folder);
      const files = makeOlder(tree, quarter);
      const ran = await regenerate(folder);
      if (ran.code !== 0) throw new Error(`upgrade: ${ran.code}\n${ran.stdout}${ran.stderr}`);
      await commitAll(folder, 'a new version');
      return { files, isWhole: isUpgraded(tree, quarter) };
    },
    async rollBack() {
      traffic.taken();
      const place = live.place === places.a ? places.b : places.a;
      const former = await start(place);
      await traffic.moveTo(former.url);
      await new Promise((done) => setTimeout(done, 1500));
      await traffic.moveTo(live.server.url);
      await former.stop();
      return traffic.taken().failures;
    },
    async kept() {
      await traffic.pause();
      return traffic.kept();
    },
    async end() {
      await traffic.end();
      await live.server.stop();
    },
  };
}

/** Two checkouts to work in, two to run from, and a database with rows and an editor. */
async function openProject(engine: 'sqlite' | 'postgres', url: string) {
  const project = await ownedProject('--example', 'blog', '--database', engine);
  const { folder } = project;
  const modules = await installed(await readDependencies(folder));
  const env = { DATABASE_URL: url, AUTH_SECRET_KEY: testSecret };
  const cli = (at: string, ...args: readonly string[]) =>
    must(process.execPath, ['--import', '@oxc-node/core/register', 'src/cli.ts', ...args], {
      cwd: at,
      env,
    });
  const git = gitIn(folder);
  await git('init', '--quiet', '--initial-branch=main');
  await writeFile(join(folder, '.git/info/exclude'), 'node_modules\n');
  await commitAll(folder, 'start');
  const places = { ann: `${folder}-ann`, ben: `${folder}-ben`, a: `${folder}-a`, b: `${folder}-b` };
  for (const place of Object.values(places))
    await git('worktree', 'add', '--quiet', '--detach', place, 'main');
  for (const place of [places.a, places.b])
    await symlink(modules, join(place, 'node_modules'), 'dir');

  const start = (cwd: string) => {
    const command = [
      process.execPath,
      '--import',
      '@oxc-node/core/register',
      'src/server.ts',
    ] as const;
    return startServer({ cwd, env, command });
  };
  await cli(folder, 'migrate');
  await must(
    process.execPath,
    ['--import', '@oxc-node/core/register', 'seeds/run.ts', '--count', '40'],
    { cwd: folder, env },
  );
  const person = ['--name', 'Eve', '--email', email, '--role', 'editor', '--password', password];
  await cli(folder, 'create-user', ...person);
  return { project, places, cli, start };
}

/** The owner's rule for tags in the code, and another one in the schema. */
function writeRivalRules(tree: ReturnType<typeof diskTree>, mark: string): void {
  const path = 'src/tags/policy.ts';
  const edited = tree
    .read(path)
    .replace(/^ {2}create: .*$/m, `  create: role('admin'), // ${mark}`);
  tree.write(path, edited);
  const text = tree.read('schema.yaml');
  const changed = text.replace(
    /create: (editor|authenticated), update: editor/,
    (_, rule) => `create: ${rule === 'editor' ? 'authenticated' : 'editor'}, update: editor`,
  );
  if (changed === text) throw new Error('The rule of tags is not there.');
  tree.write('schema.yaml', changed);
}

/** Servers of before fail once it is applied, the run has said. */
function isAnnounced(stderr: string): boolean {
  return stderr.includes('SCF441') || stderr.includes('SCF442');
}

function lostMarks(folder: string, marks: readonly string[]): readonly string[] {
  const tree = diskTree(folder);
  const paths = tree.paths().filter((path) => /^(?:src|test)\/.*\.ts$/.test(path));
  const all = paths.map((path) => tree.read(path)).join('\n');
  return marks.filter((mark) => all.split(mark).length !== 2);
}

async function markersIn(folder: string): Promise<readonly string[]> {
  const paths = ['src', 'test', 'schema.yaml', 'migrations', 'README.md', 'package.json'];
  const { stdout } = await runGit(folder, 'grep', '--name-only', '^<<<<<<<', '--', ...paths);
  return stdout.split('\n').filter((line) => line !== '');
}

async function commitAll(folder: string, message: string): Promise<void> {
  const git = gitIn(folder);
  await git('add', '--all');
  await git('commit', '--quiet', '--allow-empty', '--no-verify', `--message=${message}`);
}

const identity = ['user.name=Ann', 'user.email=ann@example.test', 'commit.gpgsign=false'];
const settings = identity.flatMap((it) => ['-c', it]);

function runGit(cwd: string, ...args: readonly string[]) {
  return run('git', [...settings, ...args], { cwd });
}

function gitIn(cwd: string) {
  return async (...args: readonly string[]): Promise<string> =>
    (await must('git', [...settings, ...args], { cwd })).stdout;
}

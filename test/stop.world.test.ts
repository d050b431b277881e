import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { controlC } from './cli/pseudo-terminal.ts';
import { copiedApp } from './support/built-app.ts';
import { freePort } from './support/free-port.ts';
import { root } from './support/root.ts';
import { environment, hanging, must } from './support/run.ts';
import { testSecret } from './support/server.ts';

interface Stop {
  readonly name: string;
  /** Or else in the background, as a script or an agent starts it. */
  readonly isOnTerminal?: true;
  stop(started: Started): void;
}

const ways: readonly Stop[] = [
  {
    name: 'Ctrl-C',
    isOnTerminal: true,
    stop: ({ child }) => child.stdin.write(controlC),
  },
  {
    name: 'the end of the terminal',
    isOnTerminal: true,
    stop: ({ child }) => child.kill('SIGKILL'),
  },
  ...(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const).map((signal) => ({
    name: `${signal} to npm`,
    stop: ({ child }: Started) => void child.kill(signal),
  })),
  ...(['SIGTERM', 'SIGHUP', 'SIGINT'] as const).map((signal) => ({
    name: `${signal} to the script alone`,
    stop: ({ processes }: Started) => void process.kill(scriptOf(processes), signal),
  })),
  {
    name: 'SIGTERM to all of it',
    stop: ({ processes }) => processes.forEach(terminate),
  },
];

describe.each(['sqlite', 'postgres'] as const)('`npm run dev` on %s', (engine) => {
  // One for all ways: each but the first finds the database that the one before has left.
  let folder = '';

  beforeAll(async () => {
    ({ folder } = await copiedApp('minimal', engine));
  });

  test.each(ways)('$name stops everything that it started', async (way) => {
    const started = await startDev(folder, engine, way);
    const { processes } = started;
    expect(processes.length).toBeGreaterThan(engine === 'postgres' ? 5 : 3);
    way.stop(started);
    await untilGone(processes);
    const log = join(folder, 'var/postgres/postmaster.pid');
    expect(existsSync(log), 'PostgreSQL has shut down in order').toBe(false);
  });

  test('restarts for each file that is replaced, even after one that cannot be read', async () => {
    const { child, processes, statusOf } = await startDev(folder, engine, {});
    const answers = (path: string, status: number) =>
      until(
        async () => (await statusOf(path)) === status,
        () => `${path} never answers ${status}`,
        60_000,
      );
    const file = join(folder, 'src/app.ts');
    const text = readFileSync(file, 'utf8');
    // As git and many editors do.
    const replace = (content: string) => {
      writeFileSync(`${file}.new`, content);
      renameSync(`${file}.new`, file);
    };
    try {
      for (const path of ['/first', '/second', '/third']) {
        const route = `app.get('${path}', async () => 'here');`;
        replace(text.replace('await app.ready();', `${route}\n  await app.ready();`));
        await answers(path, 200);
        replace(`<<<<<<< yours\n${text}`);
        await answers('/health/ready', unreachable);
      }
      const added = join(folder, 'src/added');
      mkdirSync(added);
      writeFileSync(join(added, 'path.ts'), "export const path = '/fourth';\n");
      const route = "app.get(path, async () => 'here');";
      const imported = `import { path } from './added/path.ts';\n${text}`;
      replace(imported.replace('await app.ready();', `${route}\n  await app.ready();`));
      await answers('/fourth', 200);
      writeFileSync(join(added, 'path.ts'), "export const path = '/fifth';\n");
      await answers('/fifth', 200);
      replace(text);
      rmSync(added, { recursive: true });
      await answers('/fifth', 404);
    } finally {
      replace(text);
      child.kill('SIGTERM');
      await untilGone(processes);
    }
  });
});

/** In place of a status. */
const unreachable = 0;

type Started = Awaited<ReturnType<typeof startDev>>;

async function startDev(
  folder: string,
  engine: string,
  { isOnTerminal }: Pick<Stop, 'isOnTerminal'>,
) {
  const port = await freePort();
  const postgres = `postgres://postgres:postgres@127.0.0.1:${await freePort()}/dev`;
  const [program, ...args] = isOnTerminal
    ? ['script', '--quiet', '--flush', '--command', 'npm run dev', '/dev/null']
    : ['npm', 'run', 'dev'];
  const child = spawn(program ?? '', args, {
    cwd: folder,
    env: environment({
      PORT: String(port),
      DATABASE_URL: engine === 'postgres' ? postgres : 'file:./var/dev.db',
      AUTH_SECRET_KEY: testSecret,
    }),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (printed += String(chunk)));
  }
  const statusOf = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ status }) => status,
      () => unreachable,
    );
  await until(
    async () => (await statusOf('/health/ready')) === 200,
    () => `The server is never ready:\n${printed}`,
  );
  return { child, processes: await descendants(child.pid ?? 0), statusOf };
}

async function untilGone(processes: readonly number[]): Promise<void> {
  try {
    await until(
      async () => !processes.some(isRunning),
      () => `Left: ${processes.filter(isRunning).map(commandOf).join(', ')}`,
      30_000,
    );
  } finally {
    for (const pid of processes.filter(isRunning)) process.kill(pid, 'SIGKILL');
  }
}

async function until(
  isSo: () => Promise<boolean>,
  fault: () => string,
  milliseconds = hanging,
): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(fault());
    await sleep(100);
  }
}

/** A process and all that it has started, PostgreSQL's group of its own as well. */
async function descendants(pid: number): Promise<readonly number[]> {
  const { stdout } = await must('ps', ['-eo', 'pid=,ppid='], { cwd: root });
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const found = [pid];
  for (const parent of found) {
    found.push(...rows.flatMap(([child = 0, above]) => (above === parent ? child : [])));
  }
  return found;
}

/** What npm's shell has started. */
function scriptOf(processes: readonly number[]): number {
  const script = processes.find((pid) =>
    /^\S*node .*typescript\.js scripts\//.test(commandOf(pid)),
  );
  if (script === undefined) throw new Error(processes.map(commandOf).join('\n'));
  return script;
}

/** The first of them may have taken others with it before those are signalled. */
function terminate(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** A process that has ended and is not waited for yet does not run. */
function isRunning(pid: number): boolean {
  const stat = read(`/proc/${pid}/stat`);
  return stat !== '' && stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
}

function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile, readdir, rm } from 'node:fs/promises';
import { relative, join, dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { exitCode, type ExitCode, InternalError } from '../errors.ts';
import { type App, hasPasswords, type PackageManager } from '../model/app.ts';
import { shell } from '../render/helpers.ts';
import type { RenderedFile } from '../render/rendered-file.ts';
import { exampleCall, type ExampleCall } from '../render/views/prose.ts';
import { freePort } from '../system/port.ts';
import { runScript, scriptCommand, installDependencies } from '../system/package-manager.ts';
import { whenAbandoned, type Ended, type Running, run } from '../system/run.ts';
import { cancelled } from '../terminal/ask.ts';
import { step } from '../terminal/progress.ts';
import {
  type Diagnostic,
  printDiagnostics,
  report,
  type Report,
  type Session,
  printSteps,
  type Step,
} from '../terminal/report.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface Finish extends Situation {
  readonly app: App;
  readonly result: NewResult;
  /** What went wrong after the project was written. */
  readonly remarks: readonly Diagnostic[];
}

export type NewResult = Required<Pick<Report, 'changes' | 'diagnostics'>> &
  Pick<Report, 'migration'>;

/** The last word of a run that leaves the starting to the user. */
export function finish(session: Session, made: Finish): ExitCode {
  const { terminal } = session;
  const { result, remarks, folder } = made;
  const steps = nextSteps(made);
  const hasFailed = remarks.some(({ severity }) => severity === 'error');
  printDiagnostics(terminal, remarks);
  printSteps(terminal, hasFailed ? 'The project was created. Once this is fixed' : 'Next', steps);
  return report(session, {
    exit: hasFailed ? exitCode.environment : exitCode.done,
    ...result,
    diagnostics: [...result.diagnostics, ...remarks],
    next: steps.map(({ command }) => command),
    data: { folder },
  });
}

/** Starts the server and stays with it until it is stopped. */
export async function startAndStay(session: Session, made: Finish): Promise<ExitCode> {
  const { terminal } = session;
  const { app, result, remarks, folder, manager } = made;
  const server = await startServer(manager, { folder, interruption: terminal.interruption });
  if ('code' in server) return finish(session, { ...made, remarks: [...remarks, server] });
  const inside = enter(made);
  const call = hasPasswords(app)
    ? exampleCommands(server.url, exampleCall(app))
    : [...inside.map(({ command }) => command), ...callsElsewhere(server.url, app, manager)];
  const steps = [...inside, ...stepsInside(manager)];
  printDiagnostics(terminal, remarks);
  printServer(terminal, server.url, call);
  printSteps(terminal, 'Next, in another terminal', steps);
  report(session, {
    exit: exitCode.done,
    ...result,
    diagnostics: [...result.diagnostics, ...remarks],
    next: steps.map(({ command }) => command),
    data: { folder, url: server.url, docs: `${server.url}/docs`, call },
  });
  const { ok } = await server.ended;
  return ok || terminal.interruption.aborted ? exitCode.done : exitCode.environment;
}

function printServer(terminal: Terminal, url: string, call: readonly string[]): void {
  if (terminal.quiet) return;
  const { style, write } = terminal.err;
  write(`
  ${style.good('✓')} ${style.place(url)}  is up; Ctrl-C stops it
    ${style.place(`${url}/docs`)}  documents every call and lets you try them

${style.strong('Make a call: paste this into another terminal')}
${call.map((line) => `  ${line}\n`).join('')}`);
}

interface Situation {
  readonly here: string;
  readonly folder: string;
  readonly manager: PackageManager;
  readonly installed: boolean;
}

/** Commands that work as they stand, pasted one after the other. */
export function nextSteps(situation: Situation): Step[] {
  const { manager, installed } = situation;
  return [
    ...enter(situation),
    ...(installed ? [] : [{ command: `${manager} install`, note: '' }]),
    {
      command: scriptCommand(manager, 'dev'),
      note: 'http://localhost:3000, with its docs at /docs',
    },
    ...stepsInside(manager),
  ];
}

function enter({ here, folder }: Situation): Step[] {
  const path = relative(here, folder);
  return path === '' ? [] : [{ command: `cd ${shell(path)}`, note: '' }];
}

/** What can be done while the server runs. */
function stepsInside(manager: PackageManager): Step[] {
  return [
    { command: scriptCommand(manager, 'test'), note: 'its own tests' },
    {
      command: scriptCommand(manager, 'db:seed', '--count 500'),
      note: 'believable rows in every table',
    },
  ];
}

/** The call as commands to paste; they need nothing but curl and the Node that is there already. */
function exampleCommands(url: string, call: ExampleCall): string[] {
  const { email, password, registration, list } = call;
  const token = `node -p 'JSON.parse(fs.readFileSync(0)).access_token'`;
  return [
    `curl -sw '\\n' ${url}/auth/register -H 'content-type: application/json' -d ${shell(JSON.stringify(registration))}`,
    `TOKEN=$(curl -s ${url}/auth/token -d username=${email} -d password=${password} | ${token})`,
    `curl -sw '\\n' ${url}${list} -H "Authorization: Bearer $TOKEN"`,
  ];
}

/** The same where users sign in elsewhere. */
function callsElsewhere(url: string, app: App, manager: PackageManager): string[] {
  const { email, options, list } = exampleCall(app);
  const token = scriptCommand(manager, 'user:token', `--email ${email}`);
  return [
    scriptCommand(manager, 'user:create', options),
    `TOKEN=$(${token} | tail -n 1)`,
    `curl -sw '\\n' ${url}${list} -H "Authorization: Bearer $TOKEN"`,
  ];
}

/** The project's own default, unless whoever runs us has set another. */
const wantedPort = Number(process.env['PORT']) || 3000;
const timeout = 60_000;

/** Starts the project's own development server, and returns when it answers; `ended` settles when it has stopped. */
async function startServer(
  manager: PackageManager,
  at: Running,
): Promise<{ readonly url: string; readonly ended: Promise<Ended> } | Diagnostic> {
  const port = await freePort(wantedPort);
  const url = `http://localhost:${port}`;
  const env = { PORT: String(port), PUBLIC_URL: url };

  const given = new AbortController();
  const either = AbortSignal.any([at.interruption, given.signal]);
  const endWatch = whenAbandoned(() => given.abort());
  const ended = runScript(manager, 'dev', { ...at, env, interruption: either }).finally(endWatch);
  const outcome = await Promise.race([
    ended,
    untilReady(`http://127.0.0.1:${port}/health/ready`, ended),
  ]);
  if (outcome === 'ready') return { url, ended };

  given.abort();
  await ended;
  if (at.interruption.aborted) throw cancelled();
  const help = `Its output is above. Try \`${manager} run dev\` in the project.`;
  return { code: 'SCF604', severity: 'error', message: 'The server did not start.', help };
}

/** Leaves off as soon as the server has ended, which the caller sees by itself. */
async function untilReady(url: string, ended: Promise<Ended>): Promise<'ready' | 'late'> {
  const deadline = performance.now() + timeout;
  while (performance.now() < deadline) {
    if (await isReady(url)) return 'ready';
    if (await Promise.race([ended, wait(100)])) break;
  }
  return 'late';
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

/** Installs the dependencies; when that fails the project stays, for another try. */
export async function install(
  terminal: Terminal,
  at: Running,
  manager: PackageManager,
): Promise<Diagnostic[]> {
  const { ok, output } = await step(terminal, 'dependencies', async () => {
    const ended = await installDependencies(manager, at);
    if (at.interruption.aborted) throw cancelled();
    return { value: ended, ok: ended.ok, note: `${manager} install` };
  });
  if (ok) return [];
  const message = `\`${manager} install\` failed. Its last lines:\n${lastLines(output)}`;
  const help = `Fix the problem and run \`${manager} install\` again.`;
  return [{ code: 'SCF602', severity: 'error', message, help }];
}

function lastLines(output: string): string {
  const lines = output.trimEnd().split('\n').slice(-20);
  return lines.map((line) => `    ${line}`).join('\n');
}

const outcomes = {
  made: { ok: true, note: 'first commit' },
  'inside another repository': { ok: true, note: 'left to the repository around it' },
  'git is not installed': { ok: true, note: 'not installed, left out' },
  failed: { ok: false, note: 'no commit was made' },
} as const;

export async function commit(
  terminal: Terminal,
  at: Running,
  message: string,
): Promise<Diagnostic[]> {
  const outcome = await step(terminal, 'git', async () => {
    const value = await commitAll(message, at);
    if (at.interruption.aborted) throw cancelled();
    return { value, ...outcomes[value] };
  });
  if (outcome !== 'failed') return [];
  return [{ code: 'SCF605', severity: 'warning', message: 'git could not make the first commit.' }];
}

export const environmentChange = { path: '.env', action: 'create' } as const;

/** `.env`: the example with a secret of its own. It is for this machine alone: unread by others, ignored by git. */
export async function writeEnvironment(
  folder: string,
  rendered: readonly RenderedFile[],
): Promise<void> {
  const example = rendered.find(({ path }) => path === '.env.example')?.content ?? '';
  const secret = `AUTH_SECRET_KEY=${randomBytes(48).toString('hex')}`;
  const content = example.replace(/^AUTH_SECRET_KEY=.*$/m, secret);
  if (!content.includes(secret)) throw new InternalError('.env.example has no line for the secret');
  // A secret that is there already may have signed tokens.
  await writeFile(join(folder, '.env'), content, { mode: 0o600, flag: 'wx' }).catch(unlessThere);
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

/** What was there before a run. */
interface Before {
  readonly folder: string;
  /** The highest folder that the run will make; absent when the project's own is there already. */
  readonly firstNew?: string;
  readonly entries: ReadonlySet<string>;
}

export async function remember(folder: string): Promise<Before> {
  if (!existsSync(folder)) return { folder, firstNew: firstMissing(folder), entries: new Set() };
  return { folder, entries: new Set(await readdir(folder, { recursive: true })) };
}

function firstMissing(folder: string): string {
  const parent = dirname(folder);
  return existsSync(parent) ? folder : firstMissing(parent);
}

/** What this run made goes, what was there stays: `scaffold new` replaces nothing. */
export async function takeBack({ folder, firstNew, entries }: Before): Promise<void> {
  if (firstNew) return remove(firstNew);
  const now = await readdir(folder, { recursive: true });
  const wasThere = (path: string) => path === '.' || entries.has(path);
  const made = now.filter((path) => !wasThere(path) && wasThere(dirname(path)));
  for (const path of made) await remove(join(folder, path));
}

const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 3 });

/** A repository with everything in one commit; git may be missing, and may not know who its user is. */
async function commitAll(message: string, at: Running): Promise<keyof typeof outcomes> {
  const git = (...args: string[]): Promise<Ended> => run('git', args, at);
  if (!(await git('--version')).ok) return 'git is not installed';
  if ((await git('rev-parse', '--is-inside-work-tree')).ok) return 'inside another repository';

  const hasUser = (await git('config', 'user.email')).ok && (await git('config', 'user.name')).ok;
  const identity = hasUser
    ? []
    : ['-c', 'user.name=scaffold', '-c', 'user.email=scaffold@localhost'];
  const quiet = [...identity, '-c', 'commit.gpgsign=false', '-c', 'core.safecrlf=false'];
  const steps = [
    ['-c', 'init.defaultBranch=main', 'init', '--quiet'],
    ['add', '--all'],
    [...quiet, 'commit', '--quiet', '--no-verify', `--message=${message}`],
  ];
  for (const command of steps) {
    if (!(await git(...command)).ok) return 'failed';
  }
  return 'made';
}

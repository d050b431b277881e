import { exitCode, type ExitCode } from '../../errors.ts';
import type { App } from '../../model/app.ts';
import { exampleCall, type ExampleCall } from '../../render/views/prose.ts';
import {
  type Diagnostic,
  printDiagnostics,
  report,
  type Report,
  type Session,
  printSteps,
  type Step,
} from '../../terminal/report.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { relative } from 'node:path';
import { type PackageManager, runScript, scriptCommand } from '../../system/package-manager.ts';
import { shell } from '../../render/helpers.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../system/port.ts';
import type { Ended, Running } from '../../system/run.ts';
import { cancelled } from '../../terminal/ask.ts';

interface Finish {
  readonly app: App;
  readonly result: NewResult;
  /** What went wrong after the project was written. */
  readonly remarks: readonly Diagnostic[];
  readonly situation: Situation;
}

export type NewResult = Required<Pick<Report, 'changes' | 'diagnostics'>> &
  Pick<Report, 'migration'>;

/** The last word of a run that leaves the starting to the user. */
export function finish(session: Session, { result, remarks, situation }: Finish): ExitCode {
  const { terminal } = session;
  const steps = nextSteps(situation);
  const hasFailed = remarks.some(({ severity }) => severity === 'error');
  printDiagnostics(terminal, remarks);
  printSteps(terminal, hasFailed ? 'The project is there. Once that is fixed' : 'Next', steps);
  return report(session, {
    exit: hasFailed ? exitCode.environment : exitCode.done,
    ...result,
    diagnostics: [...result.diagnostics, ...remarks],
    next: steps.map(({ command }) => command),
    data: { folder: situation.folder },
  });
}

/** Starts the server and stays with it until it is stopped. */
export async function startAndStay(session: Session, all: Finish): Promise<ExitCode> {
  const { terminal } = session;
  const { app, result, remarks, situation } = all;
  const { folder, manager } = situation;
  const server = await startServer(manager, { folder, interruption: terminal.interruption });
  if ('code' in server) {
    return finish(session, { ...all, remarks: [...remarks, server] });
  }
  const call = exampleCommands(server.url, exampleCall(app));
  const steps = stepsBeside(situation);
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

${style.strong('Sign up, sign in, make a call: paste this into another terminal')}
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

/** What can be done while the server runs. */
function stepsBeside(situation: Situation): Step[] {
  return [...enter(situation), ...stepsInside(situation.manager)];
}

function enter({ here, folder }: Situation): Step[] {
  const path = relative(here, folder);
  return path === '' ? [] : [{ command: `cd ${shell(path)}`, note: '' }];
}

function stepsInside(manager: PackageManager): Step[] {
  return [
    { command: scriptCommand(manager, 'test'), note: 'its own tests' },
    {
      command: `${scriptCommand(manager, 'db:seed')} -- --count 500`,
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

interface Server {
  readonly url: string;
  /** Settles when the server has stopped. */
  readonly ended: Promise<Ended>;
}

/** The project's own default, unless whoever runs us has set another. */
const wantedPort = Number(process.env['PORT']) || 3000;
const timeout = 60_000;

/** Starts the project's own development server, and returns when it answers. */
async function startServer(manager: PackageManager, at: Running): Promise<Server | Diagnostic> {
  const port = await freePort(wantedPort);
  const url = `http://localhost:${port}`;
  const env = { PORT: String(port), PUBLIC_URL: url };

  const given = new AbortController();
  const either = AbortSignal.any([at.interruption, given.signal]);
  const ended = runScript(manager, 'dev', { ...at, env, interruption: either });
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

import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../system/port.ts';
import { runInForeground, whenAbandoned, type ProcessResult } from '../system/run.ts';
import { makeCancelled } from '../terminal/ask.ts';
import type { Diagnostic, Session } from '../terminal/report.ts';
import type { NewProject } from './new-steps.ts';

const serverTimeout = 60_000;

/** Starts the development server and returns when it responds. `ended` resolves when it stops. */
export async function startServer(
  { terminal: { interruption } }: Session,
  { folder, manager }: NewProject,
): Promise<{ readonly url: string; readonly ended: Promise<ProcessResult> } | Diagnostic> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = { PORT: String(port), PUBLIC_URL: url };

  const given = new AbortController();
  const either = AbortSignal.any([interruption, given.signal]);
  const endWatch = whenAbandoned(() => given.abort());
  const ended = runInForeground(manager, ['run', 'dev'], {
    folder,
    env,
    interruption: either,
  }).finally(endWatch);
  const outcome = await Promise.race([
    ended,
    untilReady(`http://127.0.0.1:${port}/health/ready`, ended),
  ]);
  if (outcome === 'ready') return { url, ended };

  given.abort();
  await ended;
  if (interruption.aborted) throw makeCancelled();
  const help = `Its output is above. Try \`${manager} run dev\` in the project.`;
  return { code: 'SCF604', severity: 'error', message: 'The server did not start.', help };
}

/** Stops waiting if the server has ended. */
async function untilReady(url: string, ended: Promise<ProcessResult>): Promise<'ready' | 'late'> {
  const deadline = performance.now() + serverTimeout;
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

import { setTimeout as wait } from 'node:timers/promises';
import { execa } from 'execa';
import { expect } from 'vitest';
import { program, surroundings } from './scaffold.ts';

interface Interrupted {
  readonly cwd: string;
  /** In milliseconds after the start. */
  readonly delay: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the program, interrupts it, and tells whether it says that it has done its work. */
export async function isDoneDespiteCtrlC(
  args: readonly string[],
  { cwd, delay, env }: Interrupted,
): Promise<boolean> {
  const child = execa(process.execPath, [program, ...args], {
    cwd,
    env: surroundings(env),
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    all: true,
  });
  await wait(delay);
  child.kill('SIGINT');
  const { exitCode, signal, all } = await child;
  // Node itself ends by the signal before the program listens to it, and again once the program has ended: nothing was
  // printed yet, or everything.
  if (signal === 'SIGINT') return all !== '';
  expect([0, 130], `${delay} ms: ${all}`).toContain(exitCode);
  return exitCode === 0;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a TypeScript program with these arguments, and answers with its exit status. Whatever stops this process stops
 * the program: npm and its shell end on SIGTERM without passing it on, so the end of the parent is watched for.
 */
export async function runProgram(args: readonly string[]): Promise<number> {
  const program = spawn(process.execPath, ['--import', '@oxc-node/core/register', ...args], {
    stdio: 'inherit',
  });
  const stop = () => program.kill();
  process.on('SIGTERM', stop);
  // The terminal sends these to the program as well, which ends by itself. Sent to npm alone, they stop nothing: npm's
  // shell waits for this process and does not pass them on.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  const parent = process.ppid;
  const watch = setInterval(() => process.ppid !== parent && stop(), 500);
  const [code] = await once(program, 'exit');
  clearInterval(watch);
  return Number(code ?? 1);
}

import { type CommandName, runCommand, runProgram } from '../commands.ts';
import { openRunner } from '../runner.ts';
import { isTaken, isUnavailable } from './client.ts';
import { findDrift, findRows } from './facts.ts';
import { findApplied, migrationSession } from './session.ts';

export { MigrationError } from '../history.ts';

const runner = openRunner({
  migrationSession,
  findApplied,
  findDrift,
  findRows,
  hasDatabase: () => true,
  isUnavailable,
  isTaken,
  loadBaseline: () => import('./baseline.ts'),
});

export const { migrate, baseline, rollback, readStatus, refusePending, inspect } = runner;

/** What `cli.ts` does with `migrate`, `status`, `baseline`, `rollback` and `squash`: prints what there is to say, and answers with the exit status. */
export function runAsCommand(
  name: CommandName,
  url: string,
  args: readonly string[],
): Promise<number> {
  return runCommand(name, { runner, url, args });
}

// Not waited for: `baseline.js` imports this file, and gets it once it is loaded.
if (process.argv[1] === import.meta.filename) void runProgram(runner);

import { type CommandName, runCommand, runProgram } from '../commands.ts';
import { openRunner } from '../runner.ts';
import { isTaken, isUnavailable } from './client.ts';
import { listDrift, inspectRows } from './schema.ts';
import { readRecorded, migrationSession } from './session.ts';

export { MigrationError } from '../history.ts';

const runner = openRunner({
  migrationSession,
  readRecorded,
  listDrift,
  inspectRows,
  hasDatabase: () => true,
  isUnavailable,
  isTaken,
  loadBaseline: () => import('./baseline.ts'),
});

export const { migrate, baseline, rollback, readStatus, refusePending, inspect } = runner;

/**
 * What `cli.ts` calls for `migrate`, `status`, `baseline`, `rollback` and `squash`. Prints the result and returns the
 * exit status.
 */
export function runAsCommand(
  name: CommandName,
  url: string,
  args: readonly string[],
): Promise<number> {
  return runCommand(name, { runner, url, args });
}

// Without `await`, because `baseline.js` imports this file and gets it only after it is loaded.
if (process.argv[1] === import.meta.filename) void runProgram(runner);

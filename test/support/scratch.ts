import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A new folder outside of the repository, so that no file of ours decides what happens in it. In a test run it lies
 * in the run's own folder, which is removed at the end; `KEEP=1` leaves it for a look.
 */
export function scratchFolder(name: string): Promise<string> {
  return mkdtemp(join(runFolder(), `scaffold-${name}-`));
}

/** That of the run, for what its workers share. */
export function runFolder(): string {
  return process.env['TEST_FOLDER'] ?? tmpdir();
}

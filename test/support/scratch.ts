import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder outside of the repository, so that no file of ours decides what happens in it. */
export function scratchFolder(name: string): Promise<string> {
  return mkdtemp(join(tmpdir(), `scaffold-${name}-`));
}

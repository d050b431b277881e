import { exitCode, UserError } from '../../errors.ts';
import { makeMatcher } from '../path-patterns.ts';
import type { FormerFile } from './outcome.ts';
import { inTicks } from '../../words.ts';

/** Whether a deleted file is to be restored. */
export function selectRestored(
  restore: readonly string[],
  deleted: readonly FormerFile[],
): (path: string) => boolean {
  for (const name of restore) {
    const isNamed = makeMatcher([name]);
    if (deleted.some(({ path }) => isNamed(path))) continue;
    const paths = inTicks(deleted.map(({ path }) => path)).join(', ');
    throw new UserError('SCF516', `\`--restore ${name}\` matches nothing in this project.`, {
      exit: exitCode.usage,
      help: paths ? `Deleted are ${paths}.` : 'No file is deleted.',
    });
  }
  return makeMatcher(restore);
}

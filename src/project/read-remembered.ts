import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { exitCode, UserError } from '../errors.ts';

/** The text of a file of `.scaffold/`; undefined when there is none. */
export function readRemembered(folder: string, path: string): string | undefined {
  const file = join(folder, path);
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (found.isFile()) return readFileSync(file, 'utf8');
  throw new UserError('SCF501', `\`${path}\` is no file.`, {
    exit: exitCode.environment,
    help: `Remove it, and take the file back from version control: \`git checkout -- ${path}\`.`,
  });
}

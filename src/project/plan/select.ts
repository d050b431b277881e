import { exitCode, UserError } from '../../errors.ts';
import type { FormerFile } from './outcome.ts';

/** Whether a file that was deleted is to come back. */
export function selectRestored(
  restore: readonly string[],
  deleted: readonly FormerFile[],
): (path: string) => boolean {
  for (const name of restore) {
    if (deleted.some(({ path }) => matchesAny(path, [name]))) continue;
    const paths = deleted.map(({ path }) => `\`${path}\``).join(', ');
    throw new UserError('SCF516', `\`--restore ${name}\` matches nothing in this project.`, {
      exit: exitCode.usage,
      help: paths ? `Deleted are ${paths}.` : 'No file is deleted.',
    });
  }
  return (path) => matchesAny(path, restore);
}

/** Whether a path is one of these: a path, a folder above it, or a pattern with `*`, `**` and `?`. */
export function matchesAny(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matches(path, pattern.replace(/^\.\/|\/+$/g, '')));
}

function matches(path: string, pattern: string): boolean {
  if (path === pattern || path.startsWith(`${pattern}/`)) return true;
  if (!/[*?]/.test(pattern)) return false;
  const source = pattern.replace(/\*\*\/|\*\*|\*|\?|[^*?]+/g, (part) => {
    return wildcards[part] ?? part.replace(/[\\^$.|+()[\]{}]/g, '\\$&');
  });
  return new RegExp(`^${source}$`, 'u').test(path);
}

const wildcards: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
};

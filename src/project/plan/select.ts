import { exitCode, UserError } from '../../errors.ts';
import type { FormerFile } from './outcome.ts';

/** Whether a file that was deleted is to come back. */
export function selectRestored(
  restore: readonly string[],
  deleted: readonly FormerFile[],
): (path: string) => boolean {
  for (const name of restore) {
    const isNamed = matcherOf([name]);
    if (deleted.some(({ path }) => isNamed(path))) continue;
    const paths = deleted.map(({ path }) => `\`${path}\``).join(', ');
    throw new UserError('SCF516', `\`--restore ${name}\` matches nothing in this project.`, {
      exit: exitCode.usage,
      help: paths ? `Deleted are ${paths}.` : 'No file is deleted.',
    });
  }
  return matcherOf(restore);
}

/** Whether a path is one of these: a path, a folder above it, or a pattern with `*`, `**` and `?`. */
export function matcherOf(patterns: readonly string[]): (path: string) => boolean {
  const expressions = patterns.map(expressionOf);
  return (path) => expressions.some((it) => it.test(path));
}

function expressionOf(pattern: string): RegExp {
  const source = pattern.replace(/^\.\/|\/+$/g, '').replace(/\*\*\/|\*\*|\*|\?|[^*?]+/g, (part) => {
    return wildcards[part] ?? part.replace(/[\\^$.|+()[\]{}]/g, '\\$&');
  });
  return new RegExp(`^${source}${/[*?]/.test(pattern) ? '' : '(?:/[^]*)?'}$`, 'u');
}

const wildcards: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
};

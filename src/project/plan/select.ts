import { exitCode, UserError } from '../../errors.ts';
import type { App } from '../../model/app.ts';
import { schemaName } from '../../naming/name.ts';
import type { FormerFile } from './outcome.ts';

export interface Selectable {
  readonly path: string;
  readonly model?: string | undefined;
}

/** What `--only` leaves to a run: files of the models that it names, and those whose paths it matches. */
export function selectOnly(
  only: readonly string[],
  { apps, files }: { readonly apps: readonly App[]; readonly files: readonly Selectable[] },
): (file: Selectable) => boolean {
  if (only.length === 0) return () => true;
  const types = new Map(
    apps.flatMap(({ models }) => models.map((it) => [schemaName(it), it.names.type] as const)),
  );
  const isNamed = (file: Selectable, name: string) =>
    types.has(name) ? file.model === types.get(name) : matchesAny(file.path, [name]);
  for (const name of only) {
    if (types.has(name) || files.some((file) => isNamed(file, name))) continue;
    throw unknown('--only', name, `The models are ${[...types.keys()].join(', ')}.`);
  }
  return (file) => only.some((name) => isNamed(file, name));
}

/** Whether a file that was deleted is to come back. */
export function selectRestored(
  restore: readonly string[],
  deleted: readonly FormerFile[],
): (path: string) => boolean {
  for (const name of restore) {
    if (deleted.some(({ path }) => matchesAny(path, [name]))) continue;
    const paths = deleted.map(({ path }) => `\`${path}\``).join(', ');
    throw unknown('--restore', name, paths ? `Deleted are ${paths}.` : 'No file is deleted.');
  }
  return (path) => matchesAny(path, restore);
}

function unknown(option: string, name: string, help: string): UserError {
  return new UserError('SCF516', `\`${option} ${name}\` matches nothing in this project.`, {
    exit: exitCode.usage,
    help,
  });
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

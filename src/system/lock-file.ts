import { readFile, writeFile } from 'node:fs/promises';
import { parseJson } from '../json.ts';

/** The parts of a `package-lock.json` that are read. */
interface LockFile {
  readonly packages?: Readonly<
    Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>
  >;
}

/**
 * Packages for other platforms that a lock file refers to but lacks, because its registry lacks them. `npm ci` refuses
 * such a file since version 11.
 */
export function listUnlocked(text: string): readonly string[] {
  const { packages = {} } = parseLockFile(text);
  const locked = new Set(
    Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')),
  );
  const asked = Object.values(packages).flatMap((it) => Object.keys(it.optionalDependencies ?? {}));
  return [...new Set(asked)].filter((name) => !locked.has(name)).toSorted();
}

/** Removes references to packages that the lock file lacks. */
export function withoutUnlocked(text: string): string {
  const unlocked = new Set(listUnlocked(text));
  if (unlocked.size === 0) return text;
  const { packages = {}, ...rest } = parseLockFile(text);
  const kept = Object.entries(packages).map(([path, { optionalDependencies, ...details }]) => {
    const asked = Object.entries(optionalDependencies ?? {});
    const has = asked.filter(([name]) => !unlocked.has(name));
    const optional = has.length > 0 && { optionalDependencies: Object.fromEntries(has) };
    return [path, { ...details, ...optional }] as const;
  });
  return `${JSON.stringify({ ...rest, packages: Object.fromEntries(kept) }, null, 2)}\n`;
}

/** Trims a lock file that npm has just written, if the registry lacked packages. */
export async function trimLockFile(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const after = withoutUnlocked(text);
  if (after !== text) await writeFile(file, after);
}

const parseLockFile = (text: string): LockFile => ({ ...Object(parseJson(text)) });

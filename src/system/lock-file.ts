import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { parseJson } from '../project/paths.ts';

/** What is read of a `package-lock.json`; the rest of it stays as it is. */
const shape = z.looseObject({
  packages: z.record(
    z.string(),
    z.looseObject({ optionalDependencies: z.record(z.string(), z.string()).optional() }),
  ),
});

/**
 * Packages for other platforms that a lock file asks for and does not have, because the registry that it was made with
 * lacks them. From version 11 on, `npm ci` refuses such a file.
 */
export function findUnlocked(text: string): readonly string[] {
  const { data } = shape.safeParse(parseJson(text));
  const packages = data?.packages ?? {};
  const locked = new Set(
    Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')),
  );
  const asked = Object.values(packages).flatMap((it) => Object.keys(it.optionalDependencies ?? {}));
  return [...new Set(asked)].filter((name) => !locked.has(name)).toSorted();
}

/** Lets the lock file ask for no more than it has. A registry that has them all gives a file that is left alone. */
export async function settleLockFile(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const unlocked = new Set(findUnlocked(text));
  const { data } = shape.safeParse(parseJson(text));
  if (unlocked.size === 0 || data === undefined) return;
  const packages = Object.entries(data.packages).map(
    ([path, { optionalDependencies, ...rest }]) => {
      const kept = Object.entries(optionalDependencies ?? {}).filter(
        ([name]) => !unlocked.has(name),
      );
      const optional = kept.length > 0 && { optionalDependencies: Object.fromEntries(kept) };
      return [path, { ...rest, ...optional }] as const;
    },
  );
  const settled = { ...data, packages: Object.fromEntries(packages) };
  await writeFile(file, `${JSON.stringify(settled, null, 2)}\n`);
}

import { isDeepStrictEqual } from 'node:util';

/** Whether a `package.json` is, to a compiler, the one that was made, and has only packages besides. */
export function onlyAddsPackages(text: string, made: string): boolean {
  const [mine, theirs] = [read(text), read(made)];
  return (
    isDeepStrictEqual(mine.rest, theirs.rest) &&
    Object.entries(theirs.packages).every(([name, version]) => mine.packages[name] === version)
  );
}

function read(text: string) {
  const { dependencies, optionalDependencies, devDependencies, ...others } = parse(text);
  const rest = Object.entries(others).filter(([key]) => !indifferent.has(key));
  return {
    packages: { ...devDependencies, ...optionalDependencies, ...dependencies },
    rest: Object.fromEntries(rest),
  };
}

const indifferent = new Set(['name', 'version', 'description', 'author', 'license', 'scripts']);

interface Manifest {
  readonly [key: string]: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function parse(text: string): Manifest {
  try {
    return { ...JSON.parse(text) };
  } catch {
    return { text };
  }
}

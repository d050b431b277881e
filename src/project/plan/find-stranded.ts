import type { RenderedFile } from '../../render/rendered-file.ts';
import { importedBy } from '../relative-imports.ts';
import type { Meeting } from './fate.ts';

/**
 * New code that nothing imports and that imports what its owner has deleted, such as the test of a new model where the
 * tests are gone. By path, what it lacks.
 */
export function findStranded(
  meetings: readonly Meeting[],
  isDeleted: (path: string) => boolean,
): ReadonlyMap<string, string> {
  const gone = new Set(
    meetings.flatMap(({ file, was }) => (was && isDeleted(was.path) ? [file.path] : [])),
  );
  if (gone.size === 0) return new Map();
  const code = meetings.map(({ file }) => file).filter(({ kind }) => kind === 'ts');
  const paths = new Set(code.map(({ path }) => path));
  const importsOf = ({ path, content }: RenderedFile) =>
    importedBy(path, content, (it) => paths.has(it));
  const used = new Set(code.flatMap(importsOf));
  return new Map(
    meetings.flatMap(({ file, was }): readonly (readonly [string, string])[] => {
      const lacking = importsOf(file).find((path) => gone.has(path));
      const isStranded = !was && !used.has(file.path) && lacking !== undefined;
      return isStranded ? [[file.path, lacking]] : [];
    }),
  );
}

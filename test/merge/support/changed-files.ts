import { makeEvolutions } from './evolutions.ts';

/** A file that a change of the schema changes. */
export interface ChangedFile {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** Every TypeScript file that some change of the schema changes, once a change. */
export function readChangedFiles(): ChangedFile[] {
  return makeEvolutions().flatMap(({ name, before, after }) =>
    [...before.values()].flatMap(({ path, kind, content }) => {
      const now = after.get(path)?.content;
      const isChanged = kind === 'ts' && now !== undefined && now !== content;
      return isChanged ? [{ name: `${name}: ${path}`, before: content, after: now }] : [];
    }),
  );
}

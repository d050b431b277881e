import { posix } from 'node:path';
import { replaceImports, wayTo } from '../relative-imports.ts';

/** Where each file of ours stands that was made for a path. */
export type Places = ReadonlyMap<string, string>;

interface MadeText {
  /** What it was made for. */
  readonly path: string;
  readonly content: string;
}

/** A text that scaffold made, as it would be had it made all files where their owner has them. */
export function relocate({ path, content }: MadeText, places: Places): string {
  const place = places.get(path) ?? path;
  return replaceImports(content, (specifier) => {
    const target = posix.join(posix.dirname(path), specifier);
    const now = places.get(target);
    const isSame = now === target && posix.dirname(place) === posix.dirname(path);
    return now === undefined || isSame ? specifier : wayTo(now, place);
  });
}

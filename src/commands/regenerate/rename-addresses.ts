import { applyEdits } from '../../merge/typescript/rename-edits.ts';
import type { Texts } from '../../system/mirror.ts';
import type { Mention } from './semantic/mentions.ts';
import { offsetOf } from './semantic/places.ts';

/** The texts with the new address of a list, where one of the owner's own strings begins with the old one. */
export function renameAddresses(
  texts: Texts,
  mentions: readonly Mention[],
  readOwn: (path: string, texts: Texts) => string | undefined,
): Texts {
  const paths = new Set(mentions.map(({ path }) => path));
  const changed = [...paths].flatMap((path): readonly (readonly [string, string])[] => {
    const text = readOwn(path, texts);
    if (text === undefined) return [];
    const edits = mentions.filter((it) => it.path === path).flatMap((it) => editsOf(it, text));
    return edits.length === 0 ? [] : [[path, applyEdits(text, edits)]];
  });
  return new Map([...texts, ...changed]);
}

/** `'/api/posts/1'`, and neither `https://other.test/api/posts`, which may be another server, nor `/api/posts.csv`. */
function editsOf({ word, now, isAmbiguous, madeBy, ...at }: Mention, text: string) {
  if (now === undefined || isAmbiguous || madeBy !== undefined) return [];
  const start = offsetOf(text, at);
  const end = start + word.length;
  const isAddress = word.startsWith('/') && text.slice(start, end) === word;
  const isWhole = /['"`]/.test(text.charAt(start - 1)) && /['"`/?#]/.test(text.charAt(end));
  return isAddress && isWhole ? [{ start, end, text: now }] : [];
}

/** Replaces each renamed part of a word, as in `listPosts` and `postRoutes`, but not in `POST`. */
export function respell(word: string, spellings: ReadonlyMap<string, string>): string {
  const parts = word.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[^\p{L}]+|./gu) ?? [];
  let text = '';
  for (let at = 0; at < parts.length;) {
    const length = longestKnown(parts.slice(at), spellings);
    const part = parts.slice(at, at + Math.max(1, length)).join('');
    text += length === 0 ? part : (spellings.get(part) ?? part);
    at += Math.max(1, length);
  }
  return text;
}

/** How many of the first parts form the longest known name; 0 if none does. */
function longestKnown(parts: readonly string[], spellings: ReadonlyMap<string, string>): number {
  for (let length = parts.length; length > 0; length -= 1) {
    if (spellings.has(parts.slice(0, length).join(''))) return length;
  }
  return 0;
}

import type { Source, Span } from './tree.ts';

export type Renames = ReadonlyMap<string, string>;

/** Spells a token with the new names: whole words, whole strings, and the segments of paths. */
export function renameToken(renames: Renames): (token: string) => string {
  if (renames.size === 0) return (token) => token;
  const word = (text: string) => renames.get(text) ?? text;
  return (token) => {
    if (token.startsWith('//') || token.startsWith('/*')) return token.replace(/[\w$]+/g, word);
    if (token.startsWith('"'))
      return word(token.slice(1, -1)).replace(/.*/, (it) => quoted(it, word));
    return word(token);
  };
}

function quoted(text: string, word: (text: string) => string): string {
  return `"${text
    .split('/')
    .map((segment) => word(segment))
    .join('/')}"`;
}

/** A stretch of source with the new names. */
export function renameText(source: Source, span: Span, rename: (token: string) => string): string {
  let text = '';
  let place = span.start;
  for (const token of source.tokens) {
    if (token.start < place || token.end > span.end || token.end === token.start) continue;
    const raw = source.text.slice(token.start, token.end);
    text += source.text.slice(place, token.start) + renameRaw(raw, rename);
    place = token.end;
  }
  return text + source.text.slice(place, span.end);
}

/** A token in the quotes that its file prefers. */
function renameRaw(raw: string, rename: (token: string) => string): string {
  const quote = raw[0];
  if (quote !== '"' && quote !== "'") return rename(raw);
  const inside = raw.slice(1, -1);
  const renamed = rename(`"${inside}"`).slice(1, -1);
  return renamed === inside ? raw : quote + renamed + quote;
}

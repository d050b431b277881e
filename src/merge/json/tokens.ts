import type { Source, Token } from '../keyed/tree.ts';

/** The tokens of a JSON text with comments; nothing when something else stands there. */
export function readJsonTokens(text: string): Source | undefined {
  const tokens: Token[] = [];
  let place = 0;
  while (place < text.length) {
    token.lastIndex = place;
    const found = token.exec(text);
    if (!found) return undefined;
    const [whole, space = '', raw = ''] = found;
    if (raw) tokens.push({ text: raw, start: place + space.length, end: place + whole.length });
    place += whole.length;
  }
  return { text, tokens, frozenLines: new Set() };
}

const token =
  /(\s*)("(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[{}[\]:,]|-?\d[\d.eE+-]*|true|false|null|(?<=\s)$)/y;

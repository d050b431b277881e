import type { Source, Span } from './tree.ts';
import { isCommentText } from './source-tokens.ts';

export type Renames = ReadonlyMap<string, string>;

/** Renames a token: a whole name, words of prose, segments of a path or of an alias. */
export function renameToken(renames: Renames): (token: string) => string {
  if (renames.size === 0) return (token) => token;
  const word = (text: string) => renames.get(text) ?? text;
  return (token) => {
    if (isCommentText(token) || isSentence(token)) return token.replace(/[\w$]+/g, word);
    if (token.startsWith('"'))
      return word(token.slice(1, -1)).replace(/.*/, (it) => respellPath(it, word));
    return word(token);
  };
}

/** Whether a token is a string of several words, `"POST /api/posts/"`, or a part of a template literal. */
function isSentence(token: string): boolean {
  return /^(?:".* |[`}].)/s.test(token);
}

function respellPath(text: string, word: (text: string) => string): string {
  return `"${text
    .split('/')
    .map((segment) =>
      segment.replace(/^([#@~]?)(.+)$/, (_, mark: string, name: string) => mark + word(name)),
    )
    .join('/')}"`;
}

/** Whether tokens differ only by new names. An old name may stay where it means something else: `app.post`. */
export function isRenamed(
  before: readonly string[],
  after: readonly string[],
  rename: (token: string) => string,
): boolean {
  return (
    before.length === after.length &&
    before.every((token, index) => token === after[index] || rename(token) === after[index])
  );
}

export interface Renaming {
  readonly base: readonly string[];
  readonly theirs: readonly string[];
  readonly rename: (token: string) => string;
}

/** A span with new names, at the places where theirs has them. */
export function renameText(source: Source, span: Span, renaming: Renaming): string {
  const isMeant = meantIndexes(renaming);
  let text = '';
  let offset = span.start;
  let before = '';
  for (const token of source.tokens) {
    if (token.start < offset || token.end > span.end || token.end === token.start) continue;
    const raw = source.text.slice(token.start, token.end);
    const renamed = isMeant(token.text, before) ? renameRaw(raw, renaming.rename) : raw;
    text += source.text.slice(offset, token.start) + renamed;
    offset = token.end;
    before = token.text;
  }
  return text + source.text.slice(offset, span.end);
}

/**
 * The places where a name is to be renamed. An old name that theirs kept is recognised by the token before it. A name
 * that the base does not have is renamed too, except in a sentence of the owner's.
 */
function meantIndexes({ base, theirs, rename }: Renaming) {
  const met = new Set(base);
  const left = new Set<string>();
  const leftBehind = new Set<string>();
  for (const [index, token] of base.entries()) {
    if (rename(token) === token || theirs[index] !== token) continue;
    left.add(token);
    leftBehind.add(`${base[index - 1] ?? ''} ${token}`);
  }
  const renamed = new Set(base.filter((token, index) => theirs[index] !== token));
  return (token: string, before: string) =>
    (!left.has(token) && (met.has(token) || !isSentence(token))) ||
    (renamed.has(token) && !leftBehind.has(`${before} ${token}`));
}

/** Renames inside the quotes that the file uses. */
function renameRaw(raw: string, rename: (token: string) => string): string {
  const quote = raw[0];
  if (quote !== '"' && quote !== "'") return rename(raw);
  const inside = raw.slice(1, -1);
  const renamed = rename(`"${inside}"`).slice(1, -1);
  return renamed === inside ? raw : quote + renamed + quote;
}

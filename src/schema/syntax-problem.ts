import { uncapitalized } from '../naming/name.ts';
import type { Position, Problem } from './problem.ts';
import type { PositionOf } from './source.ts';

/** A bracket or quote without its end. */
interface Unclosed {
  readonly offset: number;
  readonly opening: string;
}

interface SyntaxWording {
  readonly code?: string;
  readonly message?: string;
  readonly help: string;
}

/** Clearer messages for codes of the parser and for unexpected tokens. Others keep the parser's own message. */
const wordings: Readonly<Record<string, SyntaxWording>> = {
  TAB_AS_INDENT: {
    message: 'a line is indented by a tab',
    help: 'YAML is indented by spaces only',
  },
  BAD_INDENT: {
    message: 'this line is not indented like the lines that it belongs to',
    help: 'start the entries of one map, or of one list, in the same column',
  },
  BAD_SCALAR_START: { help: 'put the value in quotes' },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'there is a second `: ` on this line',
    help: 'put the value in quotes, or start a new line',
  },
  MISSING_CHAR: { help: 'is a quote, a bracket, a comma or a colon missing?' },
  BAD_DQ_ESCAPE: { help: 'use single quotes, in which a backslash has no special meaning' },
  TAG_RESOLVE_FAILED: {
    code: 'SCF118',
    message: 'YAML tags are not used here',
    help: 'remove the tag that starts with `!`',
  },
  BAD_DIRECTIVE: {
    code: 'SCF118',
    message: 'YAML directives are not used here',
    help: 'remove the line that starts with `%`',
  },
  'flow-seq-start': {
    message: 'a `[` follows a word inside `{ … }`',
    help: "put the value in quotes, like `'Post[]'`",
  },
};

const closings: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/** Turns an error of the YAML parser into a problem of ours. */
export function makeSyntaxProblem(
  error: {
    readonly code: string;
    readonly message: string;
    readonly pos: readonly [number, number];
  },
  text: string,
  tokens: readonly YamlToken[],
  positionOf: PositionOf,
): Problem {
  const slip = findSlip(text, error.pos[0], positionOf);
  const unclosed = findUnclosed(tokens);
  if (slip !== undefined) return slip;
  if (unclosed !== undefined) {
    const { offset, opening } = unclosed;
    const help = `put a \`${closings[opening] ?? opening}\` where it ends`;
    return unreadable(`this \`${opening}\` is never closed`, positionOf(offset, offset + 1), help);
  }
  const [, token = ''] = /^Unexpected ([a-z-]+) /.exec(error.message) ?? [];
  const wording = wordings[error.code] ?? wordings[token];
  const [start, end] = error.pos;
  return {
    code: wording?.code ?? 'SCF101',
    severity: 'error',
    message: wording?.message ?? uncapitalized(error.message),
    position: positionOf(start, end),
    help: wording?.help ?? 'the file must be YAML 1.2 or JSON',
  };
}

/** Mistakes that the parser does not name: conflict markers, unusual spaces, and a missing space after a key. */
function findSlip(text: string, at: number, positionOf: PositionOf): Problem | undefined {
  const marker = /^<{7} [^\n]*\n(?=[^]*^={7}$[^]*^>{7} )/m.exec(text);
  if (marker) {
    const message = 'git has left conflict markers here: both branches changed the schema';
    const help = 'choose between the sides from `<<<<<<<` to `>>>>>>>`, and remove the markers';
    return unreadable(message, positionOf(marker.index, marker.index + 1), help);
  }
  const from = text.lastIndexOf('\n', at - 1) + 1;
  const line = text.slice(from);
  const pasted = /^[^\n'"#]*?[^\S \t\r\n]/.exec(line)?.[0].length;
  if (pasted !== undefined) {
    const message = 'this is not a plain space, though it looks like one';
    const help = 'write a plain space: this one was pasted from somewhere';
    return unreadable(message, positionOf(from + pasted - 1, from + pasted), help);
  }
  // In YAML, a key needs a space after its colon, so `name:string` is none.
  const [, indent = '', key] = /^(\s*)([A-Za-z_]\w*:)[^\s/:]/.exec(line) ?? [];
  if (key === undefined) return undefined;
  const start = from + indent.length;
  const help = `write \`${key} …\`, with a space after the colon`;
  return unreadable(`no space follows \`${key}\``, positionOf(start, start + 1), help);
}

function unreadable(message: string, position: Position, help: string): Problem {
  return { code: 'SCF101', severity: 'error', message, position, help };
}

/** The parts of the parser's tokens that are used here. */
interface YamlToken {
  readonly type: string;
  readonly offset: number;
  readonly source?: string;
  readonly start?: unknown;
  readonly end?: unknown;
  readonly value?: YamlToken;
  readonly items?: readonly {
    readonly key?: YamlToken | null | undefined;
    readonly value?: YamlToken | undefined;
  }[];
}

interface Placed {
  readonly token: YamlToken;
  readonly depth: number;
}

/** All values, outermost first, in the order of the file. Not recursive, because a file may be very deep. */
function* walkTokens(roots: readonly YamlToken[]): Generator<Placed> {
  const pending: Placed[] = roots.toReversed().map((token) => ({ token, depth: 0 }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    yield next;
    const { token, depth } = next;
    const isDocument = token.type === 'document';
    const inside = isDocument
      ? [token.value]
      : (token.items ?? []).flatMap(({ key, value }) => [key, value]);
    for (const value of inside.toReversed()) {
      if (value) pending.push({ token: value, depth: isDocument ? depth : depth + 1 });
    }
  }
}

export function offsetDeeperThan(limit: number, tokens: readonly YamlToken[]): number | undefined {
  for (const { token, depth } of walkTokens(tokens)) if (depth > limit) return token.offset;
  return undefined;
}

/** The innermost bracket or quote that is never closed. The parser only tells where it gave up. */
function findUnclosed(tokens: readonly YamlToken[]): Unclosed | undefined {
  let found: Unclosed | undefined;
  for (const { token } of walkTokens(tokens)) found = unclosedIn(token) ?? found;
  return found;
}

const quotes: Readonly<Record<string, string>> = {
  'double-quoted-scalar': '"',
  'single-quoted-scalar': "'",
};

function unclosedIn({ type, offset, source = '', start, end }: YamlToken): Unclosed | undefined {
  const quote = quotes[type];
  if (quote !== undefined) {
    const isClosed = source.length > 1 && source.endsWith(quote);
    return isClosed ? undefined : { offset, opening: quote };
  }
  if (
    type !== 'flow-collection' ||
    listTokenSources(end).some((text) => text === '}' || text === ']')
  ) {
    return undefined;
  }
  return { offset, opening: listTokenSources([start]).join('') };
}

function listTokenSources(tokens: unknown): string[] {
  if (!Array.isArray(tokens)) return [];
  return tokens.flatMap((token: unknown) =>
    typeof token === 'object' && token !== null && 'source' in token ? [String(token.source)] : [],
  );
}

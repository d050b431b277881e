import type { Unclosed } from './syntax-problem.ts';

/** As much of the YAML library's tokens as is looked at. */
export interface Token {
  readonly type: string;
  readonly offset: number;
  readonly source?: string;
  readonly start?: unknown;
  readonly end?: unknown;
  readonly value?: Token;
  readonly items?: readonly {
    readonly key?: Token | null | undefined;
    readonly value?: Token | undefined;
  }[];
}

interface Placed {
  readonly token: Token;
  readonly depth: number;
}

/** All tokens that are values, from the outside in and in file order. Walked by hand: a file may be very deep. */
function* tokensIn(roots: readonly Token[]): Generator<Placed> {
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

export function offsetDeeperThan(limit: number, tokens: readonly Token[]): number | undefined {
  for (const { token, depth } of tokensIn(tokens)) if (depth > limit) return token.offset;
  return undefined;
}

/** The innermost bracket or quote without its end: the parser only says where it stopped looking for it. */
export function firstUnclosed(tokens: readonly Token[]): Unclosed | undefined {
  let found: Unclosed | undefined;
  for (const { token } of tokensIn(tokens)) found = unclosed(token) ?? found;
  return found;
}

const quotes: Readonly<Record<string, string>> = {
  'double-quoted-scalar': '"',
  'single-quoted-scalar': "'",
};

function unclosed({ type, offset, source = '', start, end }: Token): Unclosed | undefined {
  const quote = quotes[type];
  if (quote !== undefined) {
    const isClosed = source.length > 1 && source.endsWith(quote);
    return isClosed ? undefined : { offset, opening: quote };
  }
  if (type !== 'flow-collection' || sourcesOf(end).some((text) => text === '}' || text === ']')) {
    return undefined;
  }
  return { offset, opening: sourcesOf([start]).join('') };
}

function sourcesOf(tokens: unknown): string[] {
  if (!Array.isArray(tokens)) return [];
  return tokens.flatMap((token: unknown) =>
    typeof token === 'object' && token !== null && 'source' in token ? [String(token.source)] : [],
  );
}

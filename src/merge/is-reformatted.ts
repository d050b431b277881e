import { isEqual } from './keyed/context.ts';
import type { Language, Token } from './keyed/tree.ts';
import type { MergeKind } from './merge.ts';

interface Formatting {
  readonly kind: MergeKind;
  readonly base: string;
  readonly mine: string;
}

/** Whether mine is the base with another layout and nothing else: every token and comment is the same. */
export async function isReformatted({ kind, base, mine }: Formatting): Promise<boolean> {
  const language = await languages[kind]?.();
  const before = language?.parse(base)?.source.tokens;
  const after = language?.parse(mine)?.source.tokens;
  if (!before || !after) return false;
  return isEqual(withoutWrapping(before), withoutWrapping(after));
}

/** Formatters put a long expression in parentheses, or take them away: `return (…);`, `=> (…)`. */
function withoutWrapping(tokens: readonly Token[]): readonly string[] {
  const texts = tokens.map(({ text }) => text);
  const wrapping = new Set(texts.flatMap((_, at) => wrappingAt(texts, at)));
  return texts.filter((_, at) => !wrapping.has(at));
}

/** Where a pair of parentheses opens and closes that holds an expression as a whole. */
function wrappingAt(texts: readonly string[], at: number): readonly number[] {
  if (texts[at] !== '(' || !['return', '=>', '='].includes(texts[at - 1] ?? '')) return [];
  let depth = 0;
  const length = texts.slice(at).findIndex((text) => {
    depth += Number(text === '(') - Number(text === ')');
    return depth === 0;
  });
  const next = texts[at + length + 1];
  return next === undefined || [';', ',', ')', '}'].includes(next) ? [at, at + length] : [];
}

const languages: Partial<Record<MergeKind, () => Promise<Language>>> = {
  // The compiler takes a third of a second to load.
  ts: async () => (await import('./typescript/parse.ts')).typescript,
  json: async () => (await import('./json/parse.ts')).json,
};

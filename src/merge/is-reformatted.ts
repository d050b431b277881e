import { isEqual } from './keyed/context.ts';
import type { Language } from './keyed/tree.ts';
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
  return (
    before !== undefined &&
    after !== undefined &&
    isEqual(
      before.map(({ text }) => text),
      after.map(({ text }) => text),
    )
  );
}

const languages: Partial<Record<MergeKind, () => Promise<Language>>> = {
  // The compiler takes a third of a second to load.
  ts: async () => (await import('./typescript/parse.ts')).typescript,
  json: async () => (await import('./json.ts')).json,
};

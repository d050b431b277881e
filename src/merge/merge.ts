import type { Labels, Merged, ThreeTexts } from './conflict.ts';
import { withLineEndingsOf, plain } from './line-endings.ts';
import { mergeSettings } from './env.ts';
import { mergeJson } from './json.ts';
import { mergeMarkdown } from './markdown.ts';
import { printStretches } from './markers.ts';
import { mergeProse, mergeText } from './text.ts';

/** The file kinds of the rendered files. */
export type MergeKind = 'ts' | 'json' | 'env' | 'yaml' | 'markdown' | 'text' | 'sql';

export interface MergeInput extends ThreeTexts {
  readonly kind: MergeKind;
  readonly labels: Labels;
  /** Old names and new ones, in every spelling that the file may use. */
  readonly renames?: ReadonlyMap<string, string>;
  /** Absent: the parser is loaded here, which takes a fifth of a second. */
  readonly mergeTypeScript?: StructuredMerge | undefined;
}

/** What the user has with what the schema changed; the line ends, the mark and the last line end of mine. */
export async function merge(input: MergeInput): Promise<Merged> {
  const { base, mine, theirs } = plainTexts(input);
  if (theirs === base || theirs === mine) return { text: input.mine, conflicts: [] };
  const merged =
    mine === base
      ? { text: theirs, conflicts: [] }
      : await mergePlain({ ...input, base, mine, theirs });
  return { ...merged, text: withLineEndingsOf(input.mine, merged.text) };
}

async function mergePlain(input: MergeInput): Promise<Merged> {
  const { kind, labels, renames = new Map(), base, mine, theirs } = input;
  const merges = {
    ...structuredMerges,
    ...(input.mergeTypeScript && { ts: input.mergeTypeScript }),
  };
  const structured = await merges[kind]?.({ base, mine, theirs }, labels, renames);
  if (structured) return structured;
  return printStretches(kind === 'ts' ? mergeText(input) : mergeProse(input), labels);
}

export type StructuredMerge = (
  texts: ThreeTexts,
  labels: Labels,
  renames: ReadonlyMap<string, string>,
) => Merged | undefined | Promise<Merged | undefined>;

const structuredMerges: Partial<Record<MergeKind, StructuredMerge>> = {
  ts: async (...given) => (await import('./keyed.ts')).mergeTypeScript(...given),
  json: mergeJson,
  env: mergeSettings,
  markdown: (texts, labels) => printStretches(mergeMarkdown(texts), labels),
};

function plainTexts({ base, mine, theirs }: ThreeTexts): ThreeTexts {
  return { base: plain(base), mine: plain(mine), theirs: plain(theirs) };
}

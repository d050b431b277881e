import type { Conflict } from '../../merge/conflict.ts';
import { merge, type StructuredMerge } from '../../merge/merge.ts';
import type { RenderedFile } from '../../render/rendered-file.ts';
import { takeWholeSide } from '../take-whole-side.ts';
import { elementsBehind, labelOf, type Element } from './elements.ts';
import type { BaseAndMine, MergedFile, OnConflict } from './outcome.ts';
import { type Renamed, type Spellings, withCompounds } from './spellings.ts';

export interface SchemaStep {
  readonly elements: readonly Element[];
  readonly renamed: Renamed;
  readonly onConflict: OnConflict;
  readonly mergeTypeScript?: StructuredMerge | undefined;
}

/** The user's text with what changed in a rendered file; both as plain texts. */
export async function mergeFile(
  file: RenderedFile,
  { base, mine }: BaseAndMine,
  step: SchemaStep,
): Promise<MergedFile> {
  const texts = { base, mine, theirs: file.content };
  const renames = withCompounds(spellingsFor(file, step.renamed), step.renamed.ofModels, texts);
  const { mergeTypeScript, onConflict } = step;
  const merged = await merge({ ...texts, kind: file.kind, labels, renames, mergeTypeScript });
  if (merged.conflicts.length === 0) return { text: merged.text, conflicts: [] };
  if (onConflict === 'ours' || onConflict === 'theirs') {
    const taken = { side: onConflict === 'ours' ? 'mine' : 'theirs', next: file.content } as const;
    return { text: await takeWholeSide(file.kind, merged.text, taken), conflicts: [] };
  }
  const conflicts = merged.conflicts.map((conflict) => ({
    ...conflict,
    elements: elementsBehind(conflict, step.elements, file.model),
  }));
  return { text: relabel(merged.text, conflicts), conflicts };
}

export function spellingsFor({ model }: RenderedFile, { everywhere, inModel }: Renamed): Spellings {
  return (model === undefined ? undefined : inModel.get(model)) ?? everywhere;
}

const labels = { mine: 'yours', base: 'base', theirs: 'scaffold' };

/** Each conflict names what it comes from. */
function relabel(
  text: string,
  conflicts: readonly (Conflict & { readonly elements: readonly string[] })[],
): string {
  const open = conflicts.values();
  return text.replace(/^>{7} scaffold$/gm, (marker) => {
    const { value } = open.next();
    return value ? `>>>>>>> ${labelOf(value.elements)}` : marker;
  });
}

import { firstOf } from '../paths.ts';
import type { Conflict } from '../../merge/conflict.ts';
import { merge } from '../../merge/merge.ts';
import type { RenderedFile, Kind } from '../../render/rendered-file.ts';
import type { OnConflict } from '../plan.ts';
import type { Element } from './elements.ts';
import type { BaseAndMine, MergedFile } from './outcome.ts';
import { type Renamed, spellingsFor } from './spellings.ts';
import { countEach, wordsOf } from './words.ts';
import { takenLines, takeSide } from '../../merge/markers.ts';

/** The user's text with what changed in a rendered file; both normalized. */
export async function mergeFile(
  file: RenderedFile,
  { base, mine }: BaseAndMine,
  step: {
    readonly elements: readonly Element[];
    readonly renamed: Renamed;
    readonly onConflict: OnConflict;
  },
): Promise<MergedFile> {
  const texts = { base, mine, theirs: file.content };
  const renames = spellingsFor(file, step.renamed, base);
  const { onConflict } = step;
  const merged = await merge({ ...texts, kind: file.kind, labels, renames });
  if (merged.conflicts.length === 0) return { text: merged.text, conflicts: [] };
  const conflicts = merged.conflicts.map((conflict) => ({
    ...conflict,
    elements: elementsBehind(conflict, step.elements, file.model),
  }));
  if (onConflict === 'markers' || onConflict === 'fail')
    return { text: relabel(merged.text, conflicts), conflicts };
  const side = onConflict === 'ours' ? 'mine' : 'theirs';
  const taken = await takeWholeSide(file.kind, merged.text, side, file.content);
  const settled = conflicts.map((it, at) => ({ ...it, line: taken.lines[at] ?? it.line }));
  return { text: taken.text, conflicts: [], settled };
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

/** Those behind a conflict in a file of this model; of any, when it is nobody's. None where that is not certain. */
function elementsBehind(
  conflict: Conflict,
  elements: readonly Element[],
  model: string | undefined,
): readonly string[] {
  const { base, theirs } = conflict;
  const near = elements.filter((it) => model === undefined || it.model === model);
  // The words of access, such as `admin`, mean other things in a file that is no model's.
  const plain = model === undefined ? near.filter(({ isAccess }) => !isAccess) : near;
  const changed = changedWords(base, theirs);
  const [behind = []] = [
    namedIn(changed, plain),
    namedIn(changed, near),
    namedIn(new Set([...wordsOf(base), ...wordsOf(theirs)]), plain),
    // A rule of access has its words where it changed anything.
    model === undefined ? [] : near.filter(({ isAccess }) => !isAccess),
    elements.length === 1 ? elements : [],
  ].filter(({ length }) => length > 0);
  // What comes or goes as a whole does so for what it is about; who may use it is a part of it.
  const isWhole = base.trim() === '' || theirs.trim() === '';
  const about = isWhole ? behind.filter(({ isAccess }) => !isAccess) : [];
  return (about.length > 0 ? about : behind).map(({ name }) => name);
}

function namedIn(words: ReadonlySet<string>, elements: readonly Element[]): readonly Element[] {
  return elements.filter((it) => [...it.words].some((word) => words.has(word)));
}

/** Those that one of the texts has more often than the other. */
function changedWords(before: string, after: string): ReadonlySet<string> {
  const [olds, news] = [countEach(wordsOf(before)), countEach(wordsOf(after))];
  const words = [...olds.keys(), ...news.keys()];
  return new Set(words.filter((word) => olds.get(word) !== news.get(word)));
}

/** `scaffold (Post.heading)` */
export function labelOf(elements: readonly string[]): string {
  return elements.length === 0 ? 'scaffold' : `scaffold (${firstOf(elements)})`;
}

/**
 * One side of every conflict, without the imports that only the other side needs, and with those that the lines that were
 * made need; their owner may have given them up. `next`: as it was made, with every such import.
 * `lines`: where each conflict was.
 */
export async function takeWholeSide(
  kind: Kind,
  text: string,
  side: 'mine' | 'theirs',
  next: string,
): Promise<{ readonly text: string; readonly lines: readonly number[] }> {
  const [taken, lines] = [takeSide(text, side), takenLines(text, side)];
  if (kind !== 'ts') return { text: taken, lines };
  const other = takeSide(text, side === 'mine' ? 'theirs' : 'mine');
  // The compiler takes a third of a second to load.
  const { addNeededImports, dropUnneededNames } =
    await import('../../merge/typescript/needed-imports.ts');
  const whole = addNeededImports(dropUnneededNames(taken, other), next);
  // Imports are above all else.
  const more = whole.split('\n').length - taken.split('\n').length;
  return { text: whole, lines: lines.map((line) => line + more) };
}

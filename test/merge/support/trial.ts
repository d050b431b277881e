import { labels } from './labels.ts';
import { takeSide } from '../../../src/merge/markers.ts';
import { merge } from '../../../src/merge/merge.ts';
import type { Merged, ThreeTexts } from '../../../src/merge/conflict.ts';
import type { ChangedFile } from './changed-files.ts';
import { makeEdit, type Dice, type Edit } from './edits.ts';
import { normal, reformat, sorted } from './normal.ts';

export type MergeTexts = (texts: ThreeTexts) => Promise<Merged>;

export const mergeTypeScript: MergeTexts = ({ base, mine, theirs }) =>
  merge({ kind: 'ts', base, mine, theirs, labels });

export interface Trial extends ThreeTexts {
  readonly name: string;
  /** What must come out: the edits done to the new output. */
  readonly expected: string;
}

export interface Sample {
  readonly file: ChangedFile;
  readonly dice: readonly Dice[];
  readonly isReformatted: boolean;
}

/** Edits of the old file that can be done to the new one as well; nothing when one cannot. */
export async function makeTrial({ file, dice, isReformatted }: Sample): Promise<Trial | undefined> {
  const edits: Edit[] = [];
  let [mine, expected] = [file.before, file.after];
  for (const throws of dice) {
    const edit = makeEdit(mine, throws);
    const [edited, same] = [edit?.apply(mine), edit?.apply(expected)];
    if (!edit || edited === undefined) continue;
    if (same === undefined) return undefined;
    edits.push(edit);
    [mine, expected] = [edited, same];
  }
  if (mine === file.before) return undefined;
  const name = `${file.name}: ${edits.map((edit) => edit.name).join(', ')}`;
  const texts = { base: file.before, mine, theirs: file.after, expected, name };
  return isReformatted ? { ...texts, mine: await reformat(mine) } : texts;
}

/** `order`: both sides put something at one place, and it stands the other way round. */
export type Outcome = 'same' | 'order' | 'conflict' | 'wrong';

export async function judge(trial: Trial, { text, conflicts }: Merged): Promise<Outcome> {
  if (conflicts.length > 0) return 'conflict';
  try {
    if ((await normal(text)) === (await normal(trial.expected))) return 'same';
    return (await sorted(text)) === (await sorted(trial.expected)) ? 'order' : 'wrong';
  } catch {
    // It does not parse.
    return 'wrong';
  }
}

/** Words that mine added to the base and the merged text has not, neither merged nor in a conflict. */
export function lostWords({ base, mine }: ThreeTexts, { text }: Merged): string[] {
  const merged = count(takeSide(text, 'mine'));
  const before = count(base);
  const needed = [...count(mine)].filter(([word, times]) => times > (before.get(word) ?? 0));
  return needed.flatMap(([word, times]) => {
    const isNew = !before.has(word);
    const found = merged.get(word) ?? 0;
    return found === 0 || (isNew && found < times) ? [word] : [];
  });
}

function count(text: string): Map<string, number> {
  const words = new Map<string, number>();
  for (const [word] of text.matchAll(/[\w$]+/g)) words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

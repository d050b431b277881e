import { parseSync } from 'oxc-parser';
import { takeSide } from '../../../src/merge/markers.ts';
import { merge, type Merged } from './merged.ts';
import type { ThreeTexts } from '../../../src/merge/conflict.ts';
import { remember } from '../../../src/remember.ts';
import type { ChangedFile } from './evolutions.ts';
import { diceOf, numbers, type Dice } from './dice.ts';
import type { Edit } from './edits/kind.ts';
import { makeEdit } from './edits/make-edit.ts';
import { normal, reformat, sorted } from './normal.ts';
import { signatureOf } from './signature.ts';
import { makeTextEdit } from './edits/make-text-edit.ts';

export type MergeTexts = (texts: MergedFile) => Promise<Merged>;

/** What a merge of one file is given. */
export interface MergedFile extends ThreeTexts, Pick<ChangedFile, 'kind' | 'renames'> {}

export const mergeFile: MergeTexts = (file) => merge(file);

export interface Trial extends MergedFile {
  readonly name: string;
  /** What must come out: the edits done to the new output. */
  readonly expected: string;
}

export interface Sample {
  readonly file: ChangedFile;
  readonly dice: readonly Dice[];
  readonly isReformatted: boolean;
  readonly among: 'plain' | 'hard' | 'typed';
}

interface Drawn extends Pick<Sample, 'among' | 'isReformatted'> {
  readonly seed: number;
  readonly count: number;
}

/** So many trials, the same for the same seed; those of one file come one after the other, so that it is read once. */
export async function* drawTrials(
  files: readonly ChangedFile[],
  { seed, count, ...kinds }: Drawn,
): AsyncGenerator<Trial> {
  const random = numbers(seed);
  let missing = count;
  for (let round = 0; missing > 0; round += 1) {
    if (round === 100) throw new Error('The files allow next to no edits.');
    const drawn = Array.from({ length: missing }, () => ({
      at: random() % files.length,
      dice: Array.from({ length: 1 + (random() % 4) }, () => diceOf(random)),
    }));
    for (const { at, dice } of drawn.toSorted((left, right) => left.at - right.at)) {
      const file = files[at];
      const trial = file && (await makeTrial({ file, dice, ...kinds }));
      if (!trial) continue;
      missing -= 1;
      yield trial;
    }
  }
}

/** Edits of the old file that can be done to the new one as well; nothing when one cannot. */
export async function makeTrial({
  file,
  dice,
  isReformatted,
  among,
}: Sample): Promise<Trial | undefined> {
  const edits: Edit[] = [];
  const { kind, renames, before, after } = file;
  let [ours, expected] = [before, after];
  for (const throws of dice) {
    const edit =
      kind === 'ts' ? makeEdit(ours, throws, { renames, among }) : makeTextEdit(ours, kind, throws);
    const [edited, same] = [edit?.apply(ours), edit?.apply(expected)];
    if (!edit || edited === undefined) continue;
    if (same === undefined) return undefined;
    edits.push(edit);
    [ours, expected] = [edited, same];
  }
  if (ours === before || (kind === 'ts' && !parses(ours))) return undefined;
  const name = `${file.name}: ${edits.map((edit) => edit.name).join(', ')}`;
  const texts = { base: before, ours, theirs: after, expected, name, kind, renames };
  return isReformatted && kind === 'ts' ? { ...texts, ours: await reformat(ours) } : texts;
}

/** Two edits at one place may make a text that no person would leave. */
function parses(text: string): boolean {
  return parseSync('file.ts', text).errors.length === 0;
}

/** `order`: both sides put something at one place, and it ends up in the other order. */
export type Outcome = 'same' | 'order' | 'conflict' | 'wrong';

export async function judge(
  { kind, expected }: Pick<Trial, 'kind' | 'expected'>,
  { text, conflicts }: Merged,
): Promise<Outcome> {
  if (conflicts.length > 0) return 'conflict';
  if (text === expected) return 'same';
  if (kind === 'ts') return judgeCode(text, expected);
  return hasSameLines(text, expected) ? 'order' : 'wrong';
}

async function judgeCode(text: string, expected: string): Promise<Outcome> {
  const signature = signatureOf(text);
  if (signature === undefined) return 'wrong';
  if (signature === signatureOf(expected)) return 'same';
  if ((await normal(text)) === (await normal(expected))) return 'same';
  return (await sorted(text)) === (await sorted(expected)) ? 'order' : 'wrong';
}

function hasSameLines(left: string, right: string): boolean {
  return sortedLines(left) === sortedLines(right);
}

function sortedLines(text: string): string {
  const lines = text.split('\n').map((line) => withoutPadding(line.trim().replace(/,$/, '')));
  return lines.filter(Boolean).toSorted().join('\n');
}

/** The cells of a table, whatever their width. */
function withoutPadding(line: string): string {
  return line.startsWith('|') ? line.replace(/ +/g, ' ').replace(/-+/g, '-') : line;
}

/** Words that ours added to the base and the merged text lacks, both merged and in a conflict. */
export function lostWords(
  { base, ours, expected, renames }: Omit<Trial, 'name'>,
  { text }: Merged,
): string[] {
  const merged = count(takeSide(text, 'ours'));
  const [before, after] = [count(base), count(expected)];
  const needed = [...count(ours)].filter(([word, times]) => times > (before.get(word) ?? 0));
  return needed.flatMap(([word, times]) => {
    const isNew = !before.has(word);
    // What theirs deleted may have spoken of a name of the owner's.
    const wanted = Math.min(times, after.get(word) ?? times);
    const found = (merged.get(word) ?? 0) + (merged.get(renames.get(word) ?? '') ?? 0);
    return found === 0 || (isNew && found < wanted) ? [word] : [];
  });
}

const count = remember((text): ReadonlyMap<string, number> => {
  const words = new Map<string, number>();
  for (const [word] of text.matchAll(/[\w$]+/g)) words.set(word, (words.get(word) ?? 0) + 1);
  return words;
});

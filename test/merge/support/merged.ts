import { toUnixLines, withLineEndingsOf } from '../../../src/merge/line-endings.ts';
import { printChunks } from '../../../src/merge/markers.ts';
import { merge as mergeTexts } from '../../../src/merge/merge.ts';

export type Merged = ReturnType<typeof printChunks>;

/** As a run merges and prints a file. */
export async function merge(input: Parameters<typeof mergeTexts>[0]): Promise<Merged> {
  const ours = toUnixLines(input.ours);
  const { text, conflicts } = printChunks(await mergeTexts({ ...input, ours }));
  return { text: withLineEndingsOf(input.ours, text), conflicts };
}

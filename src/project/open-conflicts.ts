import { z } from 'zod';
import type { Conflict } from '../merge/conflict.ts';
import { parseJson, conflictsPath, readRemembered, isSafePath, byPath } from './paths.ts';
import { damaged, type Record, type RecordedFile, recordedFile } from './record.ts';

/** A file whose conflicts wait for their owner: `.scaffold/conflicts.json`. */
export interface OpenConflict {
  readonly path: string;
  /**
   * `marked`: in the text, between markers. `added`: both sides made the file, and it is left as it was. `gone`: it is
   * not made any more; what its owner wrote in it is marked.
   */
  readonly kind: 'marked' | 'added' | 'gone';
  /** Of a file that is gone, where its content is now. */
  readonly now?: readonly string[] | undefined;
  /** What the record says of the file once it is settled. */
  readonly file: RecordedFile;
  readonly conflicts: readonly LabelledConflict[];
}

export interface LabelledConflict extends Conflict {
  /** The schema elements behind it: `Post.heading`; empty when it comes from the templates. */
  readonly elements: readonly string[];
}

/** Undefined when none is open: the file goes then. */
export function printOpenConflicts(open: readonly OpenConflict[]): string | undefined {
  if (open.length === 0) return undefined;
  const files = open.toSorted(byPath);
  return `${JSON.stringify({ version: 1, files }, null, 2)}\n`;
}

/** Those of the file, and those that only the record knows of any more. */
export function readOpenConflicts(folder: string, record: Record): readonly OpenConflict[] {
  const text = readRemembered(folder, conflictsPath);
  const listed = text === undefined ? [] : parseOpenConflicts(text);
  const unlisted = Object.entries(record.files).flatMap(([path, { state, ...recorded }]) =>
    state === 'conflict' && !listed.some((it) => it.path === path)
      ? [{ path, kind: 'marked', file: recorded, conflicts: [] } as const]
      : [],
  );
  return [...listed, ...unlisted];
}

function parseOpenConflicts(text: string): readonly OpenConflict[] {
  const result = shape.safeParse(parseJson(text));
  if (result.success) return result.data.files;
  throw damaged(conflictsPath, text, result.error);
}

const labelled = z.strictObject({
  where: z.string(),
  line: z.int(),
  base: z.string(),
  mine: z.string(),
  theirs: z.string(),
  elements: z.array(z.string()),
});

const shape = z.strictObject({
  version: z.literal(1),
  files: z.array(
    z.strictObject({
      path: z.string().refine(isSafePath),
      kind: z.enum(['marked', 'added', 'gone']),
      now: z.array(z.string()).optional(),
      file: recordedFile,
      conflicts: z.array(labelled),
    }),
  ),
});

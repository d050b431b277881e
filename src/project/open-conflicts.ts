import { parseJson } from '../json.ts';
import { z } from 'zod';
import type { MarkedConflict } from '../merge/conflict.ts';
import { printItemPath } from '../merge/keyed/key.ts';
import { conflictsPath, isSafePath, byPath } from './paths.ts';
import { readRemembered } from './project-folder.ts';
import { damaged, type ProjectRecord, recordedFile } from './record.ts';

/** A conflict and the parts of the schema behind it, such as `Post.heading`; none if templates changed. */
export type LabelledConflict = Readonly<z.infer<typeof labelledConflict>>;

const labelledConflict = z.strictObject({
  /** The path in the code: `postRoutes › app.get("/"`. */
  where: z.string(),
  line: z.int(),
  base: z.string(),
  ours: z.string(),
  theirs: z.string(),
  /** Empty if they are unknown or it comes from a new version of scaffold. */
  elements: z.array(z.string()).readonly(),
  now: z.string().optional(),
  waitsFor: z.int().optional(),
}) satisfies z.ZodType<Omit<MarkedConflict, 'where'>>;

/** What 0.6.0 wrote: the owner's text was called `mine`. */
const formerConflict = labelledConflict
  .omit({ ours: true })
  .extend({ mine: z.string() })
  .transform(({ mine, ...it }): LabelledConflict => ({ ...it, ours: mine }));

export function labelConflict(it: MarkedConflict, elements: readonly string[]): LabelledConflict {
  return { ...it, where: printItemPath(it.where), elements };
}

export const printPlaces = ({ length }: readonly LabelledConflict[]) =>
  length === 1 ? 'one place' : `${length} places`;

/** An entry of `.scaffold/conflicts.json`. */
export type ConflictedFile = Readonly<z.infer<typeof openConflict>>;

const openConflict = z.strictObject({
  path: z.string().refine(isSafePath),
  /**
   * `marked`: the conflicts are marked in the text. `added`: both sides added the file, and it was left as it was.
   * `gone`: scaffold no longer makes the file, and the owner's edits are marked.
   */
  kind: z.enum(['marked', 'added', 'gone']),
  /** The paths of the files with its content, if it is no longer made. */
  now: z.array(z.string()).readonly().optional(),
  /** The entry of the record after the conflicts are resolved. */
  file: recordedFile,
  conflicts: z.array(labelledConflict.or(formerConflict)).readonly(),
});

const conflictsShape = z.strictObject({ version: z.literal(1), files: z.array(openConflict) });

/** Undefined if there are no conflicts; the file is then removed. */
export function printOpenConflicts(open: readonly ConflictedFile[]): string | undefined {
  if (open.length === 0) return undefined;
  const files = open.toSorted(byPath);
  return `${JSON.stringify({ version: 1, files }, null, 2)}\n`;
}

/** The conflicts of `.scaffold/conflicts.json`, and of files that only the record lists as conflicted. */
export function readOpenConflicts(
  folder: string,
  record: ProjectRecord,
): readonly ConflictedFile[] {
  const text = readRemembered(folder, conflictsPath);
  const listed = text === undefined ? [] : parseOpenConflicts(text);
  const unlisted = Object.entries(record.files).flatMap(([path, { state, ...recorded }]) =>
    state === 'conflict' && !listed.some((it) => it.path === path)
      ? [{ path, kind: 'marked', file: recorded, conflicts: [] } as const]
      : [],
  );
  return [...listed, ...unlisted];
}

function parseOpenConflicts(text: string): readonly ConflictedFile[] {
  const result = conflictsShape.safeParse(parseJson(text));
  if (result.success) return result.data.files;
  throw damaged(conflictsPath, text, result.error);
}

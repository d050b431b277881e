import { labelConflict } from '../open-conflicts.ts';
import { listFirst } from '../../words.ts';
import type { Conflict, FileKind } from '../../merge/conflict.ts';
import { countLineEnds } from '../../merge/line-endings.ts';
import { loadTypeScript } from '../../merge/load-typescript.ts';
import { merge } from '../../merge/merge.ts';
import type { RenderedFile } from '../../render/rendered-file.ts';
import type { OnConflict } from '../plan.ts';
import type { UndoableChange } from './schema-changes.ts';
import type { BaseAndOurs, MergedFile } from './outcome.ts';
import { type Renamed, spellingsFor } from './spellings.ts';
import { isConflict, printChunks, textOfSide, type Chunk, takeSide } from '../../merge/markers.ts';

/** Merges what changed in a rendered file into the owner's text. Both texts are normalized. */
export async function mergeFile(
  file: RenderedFile,
  { base, ours }: BaseAndOurs,
  step: {
    readonly changes: readonly UndoableChange[];
    readonly renamed: Renamed;
    readonly onConflict: OnConflict;
  },
): Promise<MergedFile> {
  const { onConflict } = step;
  const mergeWith = (theirs: string) => {
    const renames = spellingsFor({ ...file, content: theirs }, step.renamed, base);
    return merge({ base, ours, theirs, kind: file.kind, renames });
  };
  const merged = await mergeWith(file.content);
  const causes = merged.some(isConflict) ? await listCauses(file, step.changes, mergeWith) : [];
  const marked = printChunks(merged, (it) => printLabel(nameCauses(it, causes)));
  const conflicts = marked.conflicts.map((it) => labelConflict(it, nameCauses(it, causes)));
  const { text } = marked;
  if (conflicts.length === 0 || onConflict === 'markers' || onConflict === 'fail')
    return { text, conflicts };
  const taken = await takeWholeSide(file.kind, text, onConflict, file.content);
  // Only imports differ in number, and they are above every conflict.
  const more = countLineEnds(taken) - countLineEnds(takeSide(text, onConflict));
  const starts = merged.flatMap((it, at) =>
    isConflict(it) ? countLineEnds(textOfSide(merged.slice(0, at), onConflict)) + 1 : [],
  );
  const resolved = conflicts.map((it, at) => ({ ...it, line: (starts[at] ?? 0) + more }));
  return { text: taken, conflicts: [], resolved };
}

interface Cause {
  readonly name: string;
  /** The conflicts that would remain without this change; undefined if unknown. */
  readonly others: readonly Conflict[] | undefined;
}

/** Changes of the schema that affect this file. */
async function listCauses(
  { id, content }: RenderedFile,
  changes: readonly UndoableChange[],
  mergeWith: (theirs: string) => Promise<readonly Chunk[]>,
): Promise<readonly Cause[]> {
  const causes: Cause[] = [];
  for (const { name, textWithout } of changes) {
    const theirs = textWithout(id);
    if (theirs === content) continue;
    const merged = theirs === undefined ? undefined : await mergeWith(theirs);
    causes.push({ name, others: merged?.filter(isConflict) });
  }
  return causes;
}

/** The changes without which the conflict would not exist or would differ; if there are none, the only candidate. */
function nameCauses(conflict: Conflict, causes: readonly Cause[]): readonly string[] {
  const isThere = (it: Conflict) =>
    (['base', 'ours', 'theirs'] as const).every((side) => it[side] === conflict[side]);
  const behind = causes.filter(({ others }) => others && !others.some(isThere));
  const unknown = causes.filter(({ others }) => !others);
  return (behind.length > 0 ? behind : unknown.length === 1 ? unknown : []).map(({ name }) => name);
}

/** `scaffold (Post.heading)` */
export function printLabel(elements: readonly string[]): string {
  return elements.length === 0 ? 'scaffold' : `scaffold (${listFirst(elements)})`;
}

/**
 * Takes one side of every conflict. Drops imports that only the other side needs, and adds those that scaffold's lines
 * need and the owner has removed. `next`: scaffold's text, which has these imports.
 */
export async function takeWholeSide(
  kind: FileKind,
  text: string,
  side: 'ours' | 'theirs',
  next: string,
): Promise<string> {
  const taken = takeSide(text, side);
  if (kind !== 'ts') return taken;
  const other = takeSide(text, side === 'ours' ? 'theirs' : 'ours');
  const { addNeededImports, dropUnneededNames } = await loadTypeScript();
  return addNeededImports(dropUnneededNames(taken, other), next);
}

import { toUnixLines } from '../merge/line-endings.ts';
import { listMarkers, hasMarkers } from '../merge/markers.ts';
import { readText } from '../project/disk.ts';
import type { ConflictedFile, LabelledConflict } from '../project/open-conflicts.ts';
import type { Plan } from '../project/plan.ts';
import type { Project } from '../project/read-project.ts';
import { present } from '../present.ts';

export interface ReportedConflict
  extends
    Pick<ConflictedFile, 'path' | 'kind' | 'now'>,
    Pick<LabelledConflict, 'elements' | 'where' | 'base'> {
  /** The line of the conflict that decides about this one, if the owner changed nothing here. */
  readonly waitsFor?: number;
  /** The line of the opening marker in the file; absent if there is none. */
  readonly line?: number;
  readonly yours: string;
  readonly scaffold: string;
}

export function listPlannedConflicts({ changes }: Plan): ReportedConflict[] {
  return changes.flatMap(({ after = '', successors: now, ...change }) => {
    const text = toUnixLines(after);
    const kind = now ? 'gone' : hasMarkers(text) ? 'marked' : 'added';
    return locate({ ...change, kind, ...present({ now }) }, text);
  });
}

/** Open conflicts of earlier runs, at their present lines. */
export function locateOpenConflicts({ disk, openConflicts: open }: Project): ReportedConflict[] {
  return open.flatMap((it) => locate(it, toUnixLines(readText(disk, it.path) ?? '')));
}

/** Markers are matched in order if all of them are left. An edited file may have lost some. */
function locate(
  { path, kind, now, conflicts }: Omit<ConflictedFile, 'file'>,
  text: string,
): ReportedConflict[] {
  const markers = listMarkers(text);
  const known = markers.length === conflicts.length;
  const lineOf = (at: number) => (known ? markers[at] : undefined);
  return conflicts.map((conflict, at) => {
    const { elements, where, base, ours, theirs, now: there } = conflict;
    const waitsFor = conflict.waitsFor === undefined ? undefined : lineOf(conflict.waitsFor);
    return {
      path,
      kind,
      ...(now && { now: there === undefined ? now : [there] }),
      ...present({ line: lineOf(at), waitsFor }),
      elements,
      where,
      yours: ours,
      base,
      scaffold: theirs,
    };
  });
}

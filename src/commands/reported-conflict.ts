import { normalized } from '../merge/line-endings.ts';
import { findMarkers, hasMarkers } from '../merge/markers.ts';
import { readText } from '../project/disk.ts';
import type { ConflictedFile } from '../project/open-conflicts.ts';
import type { Plan } from '../project/plan.ts';
import type { Project } from '../project/read-project.ts';
import { present } from '../present.ts';

/** A place where the owner and the schema changed the same, as the report has it. */
export interface ReportedConflict {
  readonly path: string;
  /** `added`: both made the file, and it is as the owner has it. `gone`: it is not made any more. */
  readonly kind: ConflictedFile['kind'];
  /** Where the content of a removed file is now. */
  readonly now?: readonly string[];
  /** Line of the conflict that this one depends on: the owner changed nothing here. Absent: they did. */
  readonly waitsFor?: number;
  /** The line of the opening marker, as the file is now; absent when no marker stands there. */
  readonly line?: number;
  /** The parts of the schema behind it; none when none is certain, or it comes from a new version of scaffold. */
  readonly elements: readonly string[];
  /** The place in the code: `postRoutes › app.get("/"`. */
  readonly where: string;
  readonly yours: string;
  readonly base: string;
  readonly scaffold: string;
}

export function conflictsOfPlan({ changes }: Plan): ReportedConflict[] {
  return changes.flatMap(({ after = '', ...change }) => {
    const text = normalized(after);
    const kind = change.now ? 'gone' : hasMarkers(text) ? 'marked' : 'added';
    return locate({ ...change, kind }, text);
  });
}

/** The conflicts of earlier runs that nobody has settled, where they are in the files now. */
export function locateOpenConflicts({ disk, openConflicts: open }: Project): ReportedConflict[] {
  return open.flatMap((it) => locate(it, normalized(readText(disk, it.path) ?? '')));
}

/** A marker is known by its order while all are there; an edited file may have lost some. */
function locate(
  { path, kind, now, conflicts }: Omit<ConflictedFile, 'file'>,
  text: string,
): ReportedConflict[] {
  const markers = findMarkers(text);
  const known = markers.length === conflicts.length;
  const lineOf = (at: number) => (known ? markers[at] : undefined);
  return conflicts.map((conflict, at) => {
    const { elements, where, base, mine, theirs, now: there } = conflict;
    const waitsFor = conflict.waitsFor === undefined ? undefined : lineOf(conflict.waitsFor);
    return {
      path,
      kind,
      ...(now && { now: there === undefined ? now : [there] }),
      ...present({ line: lineOf(at), waitsFor }),
      elements,
      where,
      yours: mine,
      base,
      scaffold: theirs,
    };
  });
}

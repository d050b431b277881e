import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findMarkers, hasMarkers } from '../merge/markers.ts';
import type { LabelledConflict, OpenConflict } from '../project/open-conflicts.ts';
import type { Plan } from '../project/plan.ts';
import type { Project } from '../project/read-project.ts';
import type { Diagnostic, Session } from '../terminal/report.ts';
import type { Style } from '../terminal/style.ts';
import { displayPath } from './display-path.ts';

/** A place where the owner and the schema changed the same, as the report has it. */
export interface ReportedConflict {
  readonly path: string;
  /** `added`: both made the file, and it is as the owner has it. `gone`: it is not made any more. */
  readonly kind: OpenConflict['kind'];
  /** Of a file that is gone, where its content is now. */
  readonly now?: readonly string[];
  /** Of the opening marker, as the file is now; absent when no marker stands there. */
  readonly line?: number;
  /** The parts of the schema behind it; none when it comes from a new version of scaffold. */
  readonly elements: readonly string[];
  /** The place in the code: `postRoutes › app.get("/"`. */
  readonly where: string;
  readonly yours: string;
  readonly base: string;
  readonly scaffold: string;
}

/** The conflicts that a plan leaves. */
export function conflictsOfPlan({ changes }: Plan): ReportedConflict[] {
  return changes.flatMap(({ path, after = '', conflicts, now }) => {
    const text = after.replaceAll('\r\n', '\n');
    const kind = now ? 'gone' : hasMarkers(text) ? 'marked' : 'added';
    return locate({ path, kind, now, text, conflicts });
  });
}

/** The conflicts of earlier runs that nobody has settled, where they are in the files now. */
export async function openConflicts({ folder, ...project }: Project): Promise<ReportedConflict[]> {
  const each = project.openConflicts.map(async ({ path, kind, now, conflicts }) => {
    const file = join(folder, path);
    const text = existsSync(file) ? await readFile(file, 'utf8') : '';
    return locate({ path, kind, now, text: text.replaceAll('\r\n', '\n'), conflicts });
  });
  return (await Promise.all(each)).flat();
}

interface Conflicted {
  readonly path: string;
  readonly kind: OpenConflict['kind'];
  readonly now: readonly string[] | undefined;
  /** With plain line ends. */
  readonly text: string;
  readonly conflicts: readonly LabelledConflict[];
}

/** A marker is known by its order while all are there; an edited file may have lost some. */
function locate({ path, kind, now, text, conflicts }: Conflicted): ReportedConflict[] {
  const markers = findMarkers(text);
  const known = markers.length === conflicts.length;
  return conflicts.map(({ elements, where, base, mine, theirs }, at) => {
    const marker = known ? markers[at] : undefined;
    return {
      path,
      kind,
      ...(now && { now }),
      ...(marker && { line: marker.line }),
      elements,
      where,
      yours: mine,
      base,
      scaffold: theirs,
    };
  });
}

export function conflictDiagnostics(
  session: Session,
  project: string,
  conflicts: readonly ReportedConflict[],
): Diagnostic[] {
  return conflicts.map(({ path, line, ...it }) => ({
    code: 'SCF507',
    severity: 'error',
    message: messageOf(it),
    file: displayPath(session, project, path),
    ...(line !== undefined && { line }),
  }));
}

function messageOf({ kind, elements, where, now = [] }: Omit<ReportedConflict, 'path' | 'line'>) {
  if (kind === 'added') return 'You and scaffold both made this file; it is as you have it.';
  if (kind === 'marked') return `You and ${causeOf(elements)} changed the same lines.`;
  const what = where === '' ? 'here' : `in \`${where}\``;
  const places = someOf(now.map((path) => `\`${path}\``));
  return `What you wrote ${what} has no effect any more: it belongs in ${places} now.`;
}

function causeOf(elements: readonly string[]): string {
  if (elements.length === 0) return 'this version of scaffold';
  return `the schema (${someOf(elements.map((element) => `\`${element}\``))})`;
}

/** One conflict a line: where, the part of the schema, the place in the code. */
export function printConflicts(
  session: Session,
  project: string,
  conflicts: readonly ReportedConflict[],
): string {
  const { style } = session.terminal.out;
  return conflicts
    .map((it) => printConflict(it, displayPath(session, project, it.path), style))
    .join('');
}

function printConflict(
  { kind, line, elements, where, now = [] }: ReportedConflict,
  path: string,
  style: Style,
) {
  const start = line === undefined ? path : `${path}:${line}`;
  const both = kind === 'added' ? 'you and scaffold both made it' : '';
  const place = now.length > 0 ? `now in ${someOf(now)}` : '';
  const about = [someOf(elements), where, both, place].filter(Boolean).join('  ');
  return `${style.place(start)}  ${about}`.trimEnd() + '\n';
}

/** As the marker names them. */
function someOf(elements: readonly string[]): string {
  const more = elements.length - 3;
  return `${elements.slice(0, 3).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

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
  /** `added`: both made the file, and it is as the owner has it. */
  readonly kind: OpenConflict['kind'];
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
  return changes.flatMap(({ path, after = '', conflicts }) => {
    const text = after.replaceAll('\r\n', '\n');
    return locate({ path, kind: hasMarkers(text) ? 'marked' : 'added', text, conflicts });
  });
}

/** The conflicts of earlier runs that nobody has settled, where they are in the files now. */
export async function openConflicts({ folder, ...project }: Project): Promise<ReportedConflict[]> {
  const each = project.openConflicts.map(async ({ path, kind, conflicts }) => {
    const file = join(folder, path);
    const text = existsSync(file) ? await readFile(file, 'utf8') : '';
    return locate({ path, kind, text: text.replaceAll('\r\n', '\n'), conflicts });
  });
  return (await Promise.all(each)).flat();
}

interface Conflicted {
  readonly path: string;
  readonly kind: OpenConflict['kind'];
  /** With plain line ends. */
  readonly text: string;
  readonly conflicts: readonly LabelledConflict[];
}

/** A marker is known by its order while all are there; an edited file may have lost some. */
function locate({ path, kind, text, conflicts }: Conflicted): ReportedConflict[] {
  const markers = findMarkers(text);
  const known = markers.length === conflicts.length;
  return conflicts.map(({ elements, where, base, mine, theirs }, at) => {
    const marker = known ? markers[at] : undefined;
    return {
      path,
      kind,
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
  return conflicts.map(({ path, kind, line, elements }) => ({
    code: 'SCF507',
    severity: 'error',
    message: kind === 'added' ? bothMade : `You and ${causeOf(elements)} changed the same lines.`,
    file: displayPath(session, project, path),
    ...(line !== undefined && { line }),
  }));
}

const bothMade = 'You and scaffold both made this file; it is as you have it.';

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
  { kind, line, elements, where }: ReportedConflict,
  path: string,
  style: Style,
) {
  const place = line === undefined ? path : `${path}:${line}`;
  const both = kind === 'added' ? 'you and scaffold both made it' : '';
  const about = [someOf(elements), where, both].filter(Boolean).join('  ');
  return `${style.place(place)}  ${about}`.trimEnd() + '\n';
}

/** As the marker names them. */
function someOf(elements: readonly string[]): string {
  const more = elements.length - 3;
  return `${elements.slice(0, 3).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

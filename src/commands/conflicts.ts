import { printCount, inTicks, joinWithAnd, listFirst, quoteForShell } from '../words.ts';
import { exitCode, nothingWritten, type ExitCode } from '../errors.ts';
import { withoutLayout } from '../merge/text.ts';
import { present } from '../present.ts';
import { capitalized } from '../naming/name.ts';
import type { OnConflict, Plan } from '../project/plan.ts';
import type { Project } from '../project/read-project.ts';
import { type Diagnostic, type Session, showDiagnostics, report } from '../terminal/report.ts';
import type { Style } from '../terminal/style.ts';
import { displayPath } from './display-path.ts';
import { locateOpenConflicts, type ReportedConflict } from './reported-conflict.ts';

export function diagnoseConflicts(
  session: Session,
  project: string,
  conflicts: readonly ReportedConflict[],
): Diagnostic[] {
  const found = new Set(conflicts.filter(({ scaffold }) => scaffold !== '').map(conflictKey));
  return conflicts.map(({ path, line, ...it }) => ({
    code: 'SCF507',
    severity: 'error',
    message: describeConflict(it, { isFound: found.has(conflictKey({ path, ...it })) }),
    file: displayPath(session, project, path),
    ...present({ line }),
  }));
}

const conflictKey = ({ path, where }: Pick<ReportedConflict, 'path' | 'where'>) =>
  `${path} ${where}`;

/** Reports conflicts that `--on-conflict` resolved. */
export function diagnoseResolutions(
  session: Session,
  project: string,
  { changes }: Plan,
  onConflict: OnConflict | undefined,
): Diagnostic[] {
  const stands = onConflict === 'ours' ? 'your lines stay' : 'scaffold’s lines were taken';
  return changes.flatMap(({ path, resolved = [] }) =>
    resolved.map(({ line, elements }) => ({
      code: 'SCF507',
      severity: 'warning' as const,
      message: `You and ${describeCause(elements)} changed the same lines: ${stands}.`,
      file: displayPath(session, project, path),
      line,
    })),
  );
}

/** `isFound`: whether the new file of a declaration is known. */
function describeConflict(
  conflict: Omit<ReportedConflict, 'path' | 'line'>,
  { isFound }: { readonly isFound: boolean },
) {
  const { kind, elements, where, now = [], waitsFor, base, yours, scaffold } = conflict;
  const cause = describeCause(elements);
  if (kind === 'added') return 'You and scaffold both made this file; yours was left as it is.';
  if (kind === 'gone') {
    const lost = `What you wrote ${where === '' ? 'here' : `in \`${where}\``} no longer has any effect`;
    if (now.includes(runnerPath))
      return `${lost}: \`${runnerPath}\` applies migrations now. Edit that, if you still need it.`;
    const paths = joinWithAnd(inTicks(now));
    if (isFound) return `${lost}: it belongs in ${paths} now.`;
    const isGone = where === '' ? '' : ': nothing has that name now';
    return `${lost}${isGone}. What was in this file is in ${paths} now.`;
  }
  if (waitsFor !== undefined) {
    return `You changed nothing here: this depends on the conflict at line ${waitsFor}.`;
  }
  if (withoutLayout(base) !== withoutLayout(yours))
    return `You and ${cause} changed the same lines.`;
  return scaffold === ''
    ? `${capitalized(cause)} no longer needs this, but your code uses it.`
    : `What ${cause} changed here needs a name that your code no longer defines.`;
}

const runnerPath = 'migrations/migrate.js';

function describeCause(elements: readonly string[]): string {
  // The cause is a part of the schema that is unknown, or a new version.
  if (elements.length === 0) return 'scaffold';
  return `the schema (${listFirst(inTicks(elements))})`;
}

/** Prints a line for each conflict: the place, the part of the schema, the path in the code. */
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
  { kind, line, elements, where, now = [], waitsFor }: ReportedConflict,
  path: string,
  style: Style,
) {
  const start = line === undefined ? path : `${path}:${line}`;
  const both = kind === 'added' ? 'you and scaffold both made it' : '';
  const moved = now.length > 0 ? `now in ${listFirst(now)}` : '';
  const waits = waitsFor === undefined ? '' : `waits for line ${waitsFor}`;
  const about = [listFirst(elements), where, both, moved, waits].filter(Boolean).join('  ');
  return `${style.accent(start)}  ${about}`.trimEnd() + '\n';
}

export const printResolveCommand = (folder: string) =>
  `npx scaffold resolve${folder === '.' ? '' : ` ${quoteForShell(folder)}`}`;

/** Reports conflicts of an earlier run, which have to be resolved before another run. */
export function reportOpenConflicts(session: Session, project: Project): ExitCode {
  const { terminal } = session;
  const conflicts = locateOpenConflicts(project);
  const command = printResolveCommand(displayPath(session, project.folder));
  const open = {
    code: 'SCF506',
    severity: 'error',
    message: `An earlier run left ${printCount(conflicts.length, 'open conflict')}.`,
    help: `\`${command}\` resolves them with --ours, --theirs or --edited.`,
  } as const;
  if (!terminal.json) terminal.out.write(printConflicts(session, project.folder, conflicts));
  showDiagnostics(terminal, [open]);
  if (!terminal.json) terminal.err.write(`${nothingWritten}\n`);
  return report(session, {
    exit: exitCode.conflicts,
    diagnostics: [open, ...diagnoseConflicts(session, project.folder, conflicts)],
    next: [command],
    data: { conflicts, disk: nothingWritten },
  });
}

import { exitCode, type ExitCode } from '../errors.ts';
import { shell } from '../render/helpers.ts';
import type { Project } from '../project/read-project.ts';
import { printDiagnostics, report, type Session } from '../terminal/report.ts';
import { conflictDiagnostics, openConflicts, printConflicts } from './conflicts.ts';
import { displayPath } from './display-path.ts';

/** Conflicts of an earlier run stand in the way: where they are, and how to settle them. */
export async function reportOpenConflicts(session: Session, project: Project): Promise<ExitCode> {
  const { terminal } = session;
  const conflicts = await openConflicts(project);
  const place = displayPath(session, project.folder);
  const command = `scaffold resolve${place === '.' ? '' : ` ${shell(place)}`}`;
  const open = {
    code: 'SCF506',
    severity: 'error',
    message: `${conflicts.length === 1 ? 'A conflict' : `${conflicts.length} conflicts`} of an earlier run ${conflicts.length === 1 ? 'is' : 'are'} open.`,
    help: `\`${command}\` settles them with --ours, --theirs or --edited.`,
  } as const;
  if (!terminal.json) terminal.out.write(printConflicts(session, project.folder, conflicts));
  printDiagnostics(terminal, [open]);
  if (!terminal.json) terminal.err.write('Nothing was written.\n');
  return report(session, {
    exit: exitCode.conflicts,
    diagnostics: [open, ...conflictDiagnostics(session, project.folder, conflicts)],
    next: [command],
    data: { conflicts },
  });
}

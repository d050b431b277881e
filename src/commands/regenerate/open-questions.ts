import { exitCode, nothingWritten, type ExitCode } from '../../errors.ts';
import { acceptanceKey } from '../../evolve/hazards/hazard.ts';
import { isWritten } from '../../project/plan.ts';
import { deletionKey } from '../../project/questions.ts';
import type { Project } from '../../project/read-project.ts';
import type { Regeneration } from '../../project/regeneration.ts';
import { showDiagnostics, report, type Diagnostic, type Session } from '../../terminal/report.ts';
import { printCount } from '../../words.ts';
import { displayPath } from '../display-path.ts';
import type { RegenerateRequest } from './request.ts';
import { listReportedChanges, showPlan } from './show-plan.ts';
import { printCommand } from './command-text.ts';
import { type ConcernedRows, type OpenQuestion, listQuestions, optionText } from './questions.ts';

export interface PlannedRun {
  readonly project: Project;
  readonly regeneration: Regeneration;
  /** The request with options for the given answers. */
  readonly request: RegenerateRequest;
  readonly rows: ConcernedRows;
}

/** Reports each open question with its option, and the whole command to paste. A dry run also shows the plan. */
export function reportOpenQuestions(session: Session, planned: PlannedRun): ExitCode {
  const { terminal } = session;
  const { request, regeneration, rows } = planned;
  const open = listQuestions(regeneration, rows);
  const diagnostics = [...open.map(toDiagnostic), ...listUnusedAcceptances(request, regeneration)];
  const command = printCommand(request, likeliest(open));
  showPlan(terminal, regeneration, request);
  showDiagnostics(terminal, diagnostics);
  if (!terminal.json) {
    terminal.err.write(`\nIf this is what you want:\n  ${command}\n\n${nothingWritten}\n`);
  }
  return report(session, {
    exit: exitCode.decision,
    changes: listReportedChanges(regeneration.plan, request),
    diagnostics,
    next: [command],
    data: {
      disk: nothingWritten,
      decisions: open.map(({ code, target, rows: count, answers }) => ({
        code,
        target,
        rows: count,
        answers: answers.map(optionText),
      })),
    },
  });
}

/** Why a check fails: what the schema asks, and that the project does not follow it yet. */
export function listBehindErrors(
  session: Session,
  folder: string,
  regeneration: Regeneration,
): readonly Diagnostic[] {
  const files = regeneration.plan.changes.filter(isWritten).length;
  const would = files > 0 ? `: ${printCount(files, 'file')} would change` : '';
  const message = `The project is behind its schema${would}.`;
  const help = `Run \`${printCommand({ dir: displayPath(session, folder) })}\`.`;
  return [
    ...listQuestions(regeneration, new Map()).map(toDiagnostic),
    { code: 'SCF502', severity: 'error', message, help },
  ];
}

function toDiagnostic({ code, message, help }: OpenQuestion): Diagnostic {
  return { code, severity: 'error', message, help };
}

/** The most likely answers: renames, which lose nothing, each with another new name. */
function likeliest(open: readonly OpenQuestion[]): readonly string[] {
  const given = new Set<string>();
  return open.flatMap(({ answers }) => {
    const answer = answers.find(({ taken }) => taken === undefined || !given.has(taken));
    if (answer === undefined) return [];
    if (answer.taken !== undefined) given.add(answer.taken);
    return [`--${answer.option}`, answer.value];
  });
}

/** Values of `--accept` that answer no question, probably typing errors. */
export function listUnusedAcceptances(
  { accept = [] }: RegenerateRequest,
  { hazards, plan, chosen = '' }: Pick<Regeneration, 'hazards' | 'plan' | 'chosen'>,
): Diagnostic[] {
  const deleted = plan.changes.filter(({ action }) => action === 'skip');
  const applicable = new Set([
    ...hazards.map(acceptanceKey),
    ...deleted.map(({ path }) => deletionKey({ path })),
    chosen,
  ]);
  return accept
    .filter((key) => !applicable.has(key))
    .map((key) => ({
      code: 'SCF516',
      severity: 'warning',
      message: `\`--accept ${key}\` does not apply to anything that this run would do.`,
    }));
}

import { exitCode, type ExitCode } from '../../errors.ts';
import { acceptanceKey, type Hazard, needsAcceptance } from '../../evolve/hazards/hazard.ts';
import { printDiagnostics, report, type Diagnostic, type Session } from '../../terminal/report.ts';
import { accessNotes } from '../access-notes.ts';
import { conflictDiagnostics, conflictsOfPlan } from '../conflicts.ts';
import { printSteps } from '../new/next-steps.ts';
import { stepsAfter } from './next-steps.ts';
import { isBehind, summary } from './effect.ts';
import type { Outcome } from './outcome.ts';
import type { Run } from './request.ts';
import { semanticDiagnostics } from './semantic/diagnostics.ts';
import { questionDiagnostics } from './report-open-questions.ts';
import { reportedChanges, showPlan } from './show-plan.ts';
import { vainAcceptances } from './vain-acceptances.ts';

/** The plan, what is open, what comes next, and what state the disk is in. */
export function reportRegeneration(session: Session, run: Run, outcome: Outcome): ExitCode {
  const { terminal } = session;
  const { plan, migration, hazards, unaccepted, warnings } = outcome.regeneration;
  const asked = new Set(unaccepted.map(acceptanceKey));
  const conflicts = conflictsOfPlan(plan);
  const diagnostics = [
    ...hazards.filter((it) => !asked.has(acceptanceKey(it))).map(warning),
    ...warnings.map((it) => ({ ...it, severity: 'warning' }) as const),
    ...vainAcceptances(run.request, outcome.regeneration),
    ...conflictDiagnostics(session, run.folder, conflicts),
    ...semanticDiagnostics(session, run.folder, outcome.semantic),
    ...accessNotes(outcome.project.app, outcome.regeneration.app),
    ...joinNote(outcome),
    ...waitingNote(run),
    ...behindError(run, outcome),
  ];
  const { conflicts: misfits, uses = [], mentions } = outcome.semantic;
  const silent = mentions.filter(({ isSilent }) => isSilent);
  const found = [...misfits, ...uses, ...silent];
  const open = { conflicts: conflicts.length, uses: found.length };
  const exit = statusOf(run, outcome, open.conflicts + open.uses);
  const steps = outcome.state === 'written' ? stepsAfter(session, run, outcome, open) : [];

  showPlan(terminal, { ...outcome.regeneration, renamed: outcome.renamed }, run.request);
  printDiagnostics(terminal, diagnostics);
  if (steps.length > 0) printSteps(terminal, 'Next', steps);
  printState(session, outcome, exit);
  return report(session, {
    exit,
    changes: reportedChanges(plan, run.request),
    ...(migration && { migration: migration.migration.id }),
    diagnostics: [...outcome.before, ...diagnostics],
    next: steps.map(({ command }) => command),
    data: { conflicts, hazards: hazards.map(reportedHazard) },
  });
}

function statusOf({ request }: Run, { state, regeneration }: Outcome, open: number): ExitCode {
  if (request.check) return isBehind(regeneration) ? exitCode.behind : exitCode.done;
  return state !== 'looked' && open > 0 ? exitCode.conflicts : exitCode.done;
}

function printState({ terminal }: Session, { state, regeneration }: Outcome, exit: ExitCode) {
  if (terminal.json || (terminal.quiet && exit === exitCode.done)) return;
  const isWritten = state === 'written';
  const counts = summary(regeneration.plan, isWritten ? 'written' : 'would be written');
  const open = isWritten && exit === exitCode.conflicts ? ' What is open is named above.' : '';
  terminal.err.write(`\n${counts}${isWritten ? open : ' Nothing was written.'}\n`);
}

function warning(hazard: Hazard): Diagnostic {
  const { code, target, message } = hazard;
  return { code, severity: 'warning', message: `\`${target}\`: ${message}` };
}

function reportedHazard(hazard: Hazard) {
  const { code, kind, target, message } = hazard;
  const accept = needsAcceptance(hazard) ? acceptanceKey(hazard) : null;
  return { code, kind, target, message, accept };
}

/** A migration that is there already goes, or follows another one with the SQL that it has. */
function joinNote({ regeneration }: Outcome): Diagnostic[] {
  const { changes } = regeneration.plan;
  const updated = new Set(changes.flatMap((it) => (it.action === 'update' ? [it.path] : [])));
  const joined = changes.some(({ path, action }) => {
    if (!/^migrations\/.+\/meta\.json$/.test(path)) return false;
    const isMoved = updated.has(path) && !updated.has(path.replace('meta.json', 'up.sql'));
    return isMoved || action === 'delete';
  });
  if (!joined) return [];
  const message = 'Two branches had added a migration each: they follow one after the other now.';
  return [{ code: 'SCF514', severity: 'note', message }];
}

function waitingNote({ request }: Run): Diagnostic[] {
  if (!request.only?.length) return [];
  const message = 'The other files and the migration wait until a run without `--only`.';
  return [{ code: 'SCF502', severity: 'note', message }];
}

function behindError({ request }: Run, { regeneration }: Outcome): Diagnostic[] {
  if (!request.check || !isBehind(regeneration)) return [];
  const questions = questionDiagnostics(regeneration);
  return [
    ...questions,
    { code: 'SCF502', severity: 'error', message: 'The project is behind its schema.' },
  ];
}

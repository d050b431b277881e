import { groupBy } from '../../group-by.ts';
import { printCount, inTicks } from '../../words.ts';
import type { RunResult } from './finish-and-check.ts';
import { listCodemodSteps, listStepsInProject } from './next-steps.ts';
import { exitCode, type ExitCode } from '../../errors.ts';
import { acceptanceKey, type Hazard, needsAcceptance } from '../../evolve/hazards/hazard.ts';
import { needsUpdate, isWritten, type Plan } from '../../project/plan.ts';
import {
  showDiagnostics,
  showSteps,
  report,
  type Diagnostic,
  type Session,
} from '../../terminal/report.ts';
import { listAccessNotes } from '../access.ts';
import { diagnoseConflicts, printResolveCommand, diagnoseResolutions } from '../conflicts.ts';
import { listPlannedConflicts } from '../reported-conflict.ts';
import { displayPath } from '../display-path.ts';
import { listBehindErrors, listUnusedAcceptances } from './open-questions.ts';
import { isReadOnly, type RegenerateRequest, type Run } from './request.ts';
import { listReportedChanges, showPlan } from './show-plan.ts';
import { diagnoseMisfits } from './semantic/diagnostics.ts';

/** Reports the plan, open questions, next steps and the state of the disk. */
export function reportRegeneration(session: Session, run: Run, result: RunResult): ExitCode {
  const { terminal } = session;
  const { plan, newMigration, hazards, unaccepted, warnings } = result.regeneration;
  const open = new Set(unaccepted.map(acceptanceKey));
  const conflicts = listPlannedConflicts(plan);
  const isBehind = run.request.check && needsUpdate(result.regeneration);
  const diagnostics = [
    ...hazardWarnings(hazards.filter((it) => !open.has(acceptanceKey(it)))),
    ...warnings.map((it) => ({ ...it, severity: 'warning' }) as const),
    ...listUnusedAcceptances(run.request, result.regeneration),
    ...diagnoseConflicts(session, run.folder, conflicts),
    ...diagnoseResolutions(session, run.folder, plan, run.request.onConflict),
    ...diagnoseMisfits(session, run.folder, result.semantic),
    ...listAccessNotes(result.project.app, result.regeneration.app),
    ...(result.regeneration.isJoined ? [joinedNote] : []),
    ...(isBehind ? listBehindErrors(session, run.folder, result.regeneration) : []),
  ];
  const { misfits, uses, mentions, changedQueries } = result.semantic;
  const found = [
    ...misfits,
    ...uses,
    ...mentions.filter(({ isBroken }) => isBroken),
    ...changedQueries.filter(({ isError }) => isError),
  ];
  const exit = chooseStatus(run, result, conflicts.length + found.length);
  const toResolve = {
    command: printResolveCommand(displayPath(session, run.folder)),
    note: resolveNote,
  };
  const wanted = [
    ...(conflicts.length > 0 ? [toResolve] : []),
    ...(found.length > 0 ? listCodemodSteps(run, result) : []),
    ...listStepsInProject(session, run, result),
  ];
  const steps = result.state === 'written' ? wanted : [];

  showPlan(terminal, result.regeneration, run.request, result.renamed);
  showDiagnostics(terminal, diagnostics);
  showSteps(terminal, 'Next', steps);
  showState(session, result, exit);
  return report(session, {
    exit,
    changes: listReportedChanges(plan, run.request),
    ...(newMigration && { migration: newMigration.migration.id }),
    diagnostics: [...run.earlier, ...diagnostics],
    next: steps.map(({ command }) => command),
    data: { conflicts, hazards: hazards.map(reportedHazard) },
  });
}

export function decideState(request: RegenerateRequest, { changes }: Plan): RunResult['state'] {
  if (isReadOnly(request)) return 'previewed';
  const isRefused = request.onConflict === 'fail' && changes.some((it) => it.conflicts.length > 0);
  return isRefused ? 'refused' : 'written';
}

function chooseStatus(
  { request }: Run,
  { state, regeneration }: RunResult,
  open: number,
): ExitCode {
  if (request.check) return needsUpdate(regeneration) ? exitCode.behind : exitCode.done;
  return state !== 'previewed' && open > 0 ? exitCode.conflicts : exitCode.done;
}

function showState({ terminal }: Session, { state, regeneration }: RunResult, exit: ExitCode) {
  if (terminal.json || (terminal.quiet && exit === exitCode.done)) return;
  const isDone = state === 'written';
  const counts = summarizePlan(regeneration.plan, isDone ? 'written' : 'would be written');
  const open = isDone && exit === exitCode.conflicts ? ' What is still open is listed above.' : '';
  terminal.err.write(`\n${counts}${isDone ? open : ' Nothing was written.'}\n`);
}

/** Merges equal messages about several parts of a model. */
function hazardWarnings(hazards: readonly Hazard[]): readonly Diagnostic[] {
  const alike = groupBy(hazards, ({ code, target, message }) =>
    JSON.stringify([code, target.split('.')[0], message]),
  );
  return [...alike.values()].flatMap((all) => {
    const names = inTicks(all.map(({ target }) => target)).join(', ');
    return all.slice(0, 1).map(({ code, message }): Diagnostic => {
      return { code, severity: 'warning', message: `${names}: ${message}` };
    });
  });
}

function reportedHazard(hazard: Hazard) {
  const { code, kind, target, message } = hazard;
  const accept = needsAcceptance(hazard) ? acceptanceKey(hazard) : null;
  return { code, kind, target, message, accept };
}

const joinedNote: Diagnostic = {
  code: 'SCF514',
  severity: 'note',
  message: 'Two branches had each added a migration: one now follows the other.',
};

const resolveNote = 'lists them; --ours, --theirs or --edited resolves them';

/** `7 files written, 12 keep your edits, 140 are unchanged.` */
function summarizePlan({ changes, kept, unchanged, deleted }: Plan, verb: string): string {
  const written = changes.filter(isWritten).length;
  const counts = [
    [kept, 'keeps your edits', 'keep your edits'],
    [unchanged, 'is unchanged', 'are unchanged'],
    [deleted, 'stays deleted', 'stay deleted'],
  ] as const;
  const counted = counts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `${count} ${count === 1 ? one : many}`);
  return `${[`${printCount(written, 'file')} ${verb}`, ...counted].join(', ')}.`;
}

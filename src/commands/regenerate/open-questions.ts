import { shell } from '../../render/helpers.ts';
import { exitCode, type ExitCode } from '../../errors.ts';
import type { Ambiguity } from '../../evolve/changes/candidates.ts';
import { acceptanceKey, type Hazard } from '../../evolve/hazards/hazard.ts';
import { deletionKey, type Doubt } from '../../project/read-project.ts';
import type { Regeneration } from '../../project/regeneration.ts';
import { printDiagnostics, report, type Diagnostic, type Session } from '../../terminal/report.ts';
import { type RegenerateRequest } from './request.ts';
import { type ConcernedRows, rowsText, dropKey, drops, type Decided, whereItIs } from './decide.ts';
import { reportedChanges, showPlan } from './show-plan.ts';

type Questions = Pick<Regeneration, 'ambiguities' | 'doubts' | 'unaccepted'>;

/** Nobody can be asked: every question, the flag that answers each, and the whole command to paste; for a look, the plan. */
export function reportOpenQuestions(session: Session, decided: Decided): ExitCode {
  const { terminal } = session;
  const { request, regeneration: questions, rows } = decided;
  const vain = idleAcceptances(request, questions);
  const diagnostics = [...questionDiagnostics(questions, rows), ...vain];
  const command = commandText(request, likeliest(questions));
  showPlan(terminal, questions, request);
  printDiagnostics(terminal, diagnostics);
  if (!terminal.json) {
    terminal.err.write(`\nWhen all of this is meant:\n  ${command}\n\nNothing was written.\n`);
  }
  return report(session, {
    exit: exitCode.decision,
    changes: reportedChanges(questions.plan, request),
    diagnostics,
    next: [command],
    data: { decisions: decisionsOf(questions, rows) },
  });
}

export function questionDiagnostics(
  questions: Questions,
  rows: ConcernedRows = new Map(),
): Diagnostic[] {
  return [
    ...questions.ambiguities.map((it) => ofAmbiguity(it, rows.get(dropKey(it)))),
    ...questions.doubts.map(ofDoubt),
    ...openHazards(questions).map((it) => ofHazard(it, rows.get(acceptanceKey(it)))),
  ];
}

/** Those that are there whatever the answer to a rename is. That of a model decides on all that leads to it as well. */
function openHazards({ ambiguities, unaccepted }: Questions): readonly Hazard[] {
  if (ambiguities.some(({ loss }) => loss === 'SCF411')) return [];
  const unclear = new Set(
    ambiguities.flatMap((it) => [it.target, ...it.renames.map((rename) => newName(it, rename))]),
  );
  return unaccepted.filter(({ target }) => !unclear.has(target));
}

function ofAmbiguity(ambiguity: Ambiguity, rows: number | undefined): Diagnostic {
  const renames = ambiguity.renames.map((rename) => `\`--rename ${rename}\``);
  return {
    code: 'SCF509',
    severity: 'error',
    message: `\`${ambiguity.target}\` is gone from the schema: renamed, or dropped?${rowsText(rows)}`,
    help: `${renames.join(' or ')} keeps the data; \`--accept ${dropKey(ambiguity)}\` ${drops[ambiguity.loss]}.`,
  };
}

function ofDoubt(doubt: Doubt): Diagnostic {
  const moves = doubt.candidates.map((to) => `\`--moved ${doubt.path}=${to}\``);
  const follows = moves.length > 0 ? `${moves.join(' or ')} follows it; ` : '';
  return {
    code: 'SCF517',
    severity: 'error',
    message: `\`${doubt.path}\` is not there, and ${whereItIs(doubt)}: moved, or deleted?`,
    help: `${follows}\`--accept ${deletionKey(doubt)}\` says that you deleted it, and that the rest is yours.`,
  };
}

function ofHazard(hazard: Hazard, rows: number | undefined): Diagnostic {
  return {
    code: hazard.code,
    severity: 'error',
    message: `\`${hazard.target}\`: ${hazard.message}${rowsText(rows)}`,
    help: `\`--accept ${acceptanceKey(hazard)}\` agrees to it.`,
  };
}

function decisionsOf(questions: Questions, counted: ConcernedRows) {
  return [
    ...questions.ambiguities.map((ambiguity) => ({
      code: 'SCF509',
      target: ambiguity.target,
      ...rowsOf(dropKey(ambiguity), counted),
      answers: [
        ...ambiguity.renames.map((rename) => `--rename ${rename}`),
        `--accept ${dropKey(ambiguity)}`,
      ],
    })),
    ...questions.doubts.map((doubt) => ({
      code: 'SCF517',
      target: doubt.path,
      answers: [
        ...doubt.candidates.map((to) => `--moved ${doubt.path}=${to}`),
        `--accept ${deletionKey(doubt)}`,
      ],
    })),
    ...openHazards(questions).map((hazard) => ({
      code: hazard.code,
      target: hazard.target,
      ...rowsOf(acceptanceKey(hazard), counted),
      answers: [`--accept ${acceptanceKey(hazard)}`],
    })),
  ];
}

function rowsOf(key: string, counted: ConcernedRows) {
  const rows = counted.get(key);
  return rows === undefined ? {} : { rows };
}

/** A rename loses nothing, so it is the proposal; each new name is given once. */
function likeliest(questions: Questions): string[] {
  const taken = new Set<string>();
  const renames = questions.ambiguities.flatMap((ambiguity) => {
    const rename = ambiguity.renames.find((it) => !taken.has(newName(ambiguity, it)));
    if (rename === undefined) return ['--accept', dropKey(ambiguity)];
    taken.add(newName(ambiguity, rename));
    return ['--rename', rename];
  });
  const places = questions.doubts.flatMap((doubt) => {
    const [to] = doubt.candidates;
    return to === undefined ? ['--accept', deletionKey(doubt)] : ['--moved', `${doubt.path}=${to}`];
  });
  const consents = openHazards(questions).flatMap((it) => ['--accept', acceptanceKey(it)]);
  return [...renames, ...places, ...consents];
}

/** `Post.heading` of `Post.title=heading`. */
function newName({ target }: Ambiguity, rename: string): string {
  const owner = target.includes('.') ? target.slice(0, target.indexOf('.') + 1) : '';
  return `${owner}${rename.slice(rename.indexOf('=') + 1)}`;
}

/** What was agreed to and is not in question: most likely a slip of the pen. */
export function idleAcceptances(
  { accept = [], only = [] }: RegenerateRequest,
  { hazards, plan }: Pick<Regeneration, 'hazards' | 'plan'>,
): Diagnostic[] {
  if (only.length > 0) return [];
  const deleted = plan.changes.filter(({ action }) => action === 'skip');
  const asked = new Set([
    ...hazards.map(acceptanceKey),
    ...deleted.map(({ path }) => deletionKey({ path })),
  ]);
  return accept
    .filter((key) => !asked.has(key))
    .map((key) => ({
      code: 'SCF516',
      severity: 'warning',
      message: `\`--accept ${key}\` agrees to nothing that this run would do.`,
    }));
}

/** The command as it was typed, with more flags: to be pasted. */
export function commandText(request: RegenerateRequest, more: readonly string[] = []): string {
  const { dir, ...options } = request;
  const typed = Object.entries(options).filter(([key]) => !ways.has(key));
  const words = [
    ...(dir === '.' ? [] : [dir]),
    ...typed.flatMap(([key, value]) => flagWords(key, value)),
    ...more,
  ];
  return ['npx scaffold regenerate', ...words.map(shell)].join(' ');
}

/** Other ways to run, which ask nothing. */
const ways: ReadonlySet<string> = new Set(['check', 'undo', 'watch']);

function flagWords(key: string, value: boolean | string | readonly string[]): readonly string[] {
  const flag = `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (typeof value === 'boolean') return value ? [flag] : [];
  return [value].flat().flatMap((it) => [flag, it]);
}

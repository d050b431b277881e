import { exitCode, type ExitCode } from '../../errors.ts';
import type { Ambiguity } from '../../evolve/changes/candidates.ts';
import { acceptanceKey, type Hazard } from '../../evolve/hazards/hazard.ts';
import { deletionKey, type Doubt } from '../../project/read-project.ts';
import type { Regeneration } from '../../project/regeneration.ts';
import { shell } from '../../render/helpers.ts';
import { printDiagnostics, report, type Diagnostic, type Session } from '../../terminal/report.ts';
import { type ConcernedRows, rowsText, dropKey, drops, type Decided, whereItIs } from './decide.ts';
import { type RegenerateRequest } from './request.ts';
import { reportedChanges, showPlan } from './show-plan.ts';

type Questions = Pick<Regeneration, 'ambiguities' | 'doubts' | 'unaccepted'>;

/** Nobody can be asked: every question, the flag that answers each, and the whole command to paste; for a look, the plan. */
export function reportOpenQuestions(session: Session, decided: Decided): ExitCode {
  const { terminal } = session;
  const { request, regeneration: questions, rows } = decided;
  const vain = idleAcceptances(request, questions);
  const open = questionsOf(questions, rows);
  const diagnostics = [...open.map(toDiagnostic), ...vain];
  const command = commandText(request, likeliest(open));
  showPlan(terminal, questions, request);
  printDiagnostics(terminal, diagnostics);
  if (!terminal.json) {
    terminal.err.write(`\nIf this is what you want:\n  ${command}\n\nNothing was written.\n`);
  }
  return report(session, {
    exit: exitCode.decision,
    changes: reportedChanges(questions.plan, request),
    diagnostics,
    next: [command],
    data: {
      decisions: open.map(({ code, target, rows: count, answers }) => ({
        code,
        target,
        rows: count,
        answers: answers.map((words) => words.join(' ')),
      })),
    },
  });
}

export function questionDiagnostics(questions: Questions): Diagnostic[] {
  return questionsOf(questions, new Map()).map(toDiagnostic);
}

function toDiagnostic({ code, message, help }: OpenQuestion): Diagnostic {
  return { code, severity: 'error', message, help };
}

interface OpenQuestion {
  readonly code: string;
  readonly target: string;
  readonly rows?: number | undefined;
  readonly message: string;
  readonly help: string;
  /** Options, the likeliest first; the last is the one that agrees. */
  readonly answers: readonly (readonly [flag: string, value: string])[];
}

function questionsOf(questions: Questions, counted: ConcernedRows) {
  const { ambiguities, doubts } = questions;
  return [
    ...ambiguities.map((it) => ofAmbiguity(it, counted.get(dropKey(it)))),
    ...doubts.map(ofDoubt),
    ...openHazards(questions).map((it) => ofHazard(it, counted.get(acceptanceKey(it)))),
  ];
}

/** Those that are there whatever the answer to a rename is. That of a model decides on all that leads to it as well. */
function openHazards({ ambiguities, unaccepted }: Questions): readonly Hazard[] {
  if (ambiguities.some(({ loss }) => loss === 'SCF411')) return [];
  const unclear = new Set(
    ambiguities.flatMap((it) => [
      it.target,
      ...it.renames.map((rename) => newName(it.target, rename)),
    ]),
  );
  return unaccepted.filter(({ target }) => !unclear.has(target));
}

function ofAmbiguity(ambiguity: Ambiguity, rows: number | undefined): OpenQuestion {
  const { target, loss } = ambiguity;
  const renames = ambiguity.renames.map((rename) => `\`--rename ${rename}\``);
  return {
    code: 'SCF509',
    target,
    rows,
    message: `\`${target}\` is gone from the schema: renamed, or dropped?${rowsText(rows)}`,
    help: `${renames.join(' or ')} keeps the data; \`--accept ${dropKey(ambiguity)}\` ${drops[loss]}.`,
    answers: [
      ...ambiguity.renames.map((rename) => ['--rename', rename] as const),
      ['--accept', dropKey(ambiguity)],
    ],
  };
}

function ofDoubt(doubt: Doubt): OpenQuestion {
  const { path, candidates } = doubt;
  const moves = candidates.map((to) => `\`--moved ${path}=${to}\``);
  const follows = moves.length > 0 ? `${moves.join(' or ')} tracks it there; ` : '';
  return {
    code: 'SCF517',
    target: path,
    message: `\`${path}\` is gone, and ${whereItIs(doubt)}: moved, or deleted?`,
    help: `${follows}\`--accept ${deletionKey(doubt)}\` says that you deleted it, and that the rest is yours.`,
    answers: [
      ...candidates.map((to) => ['--moved', `${path}=${to}`] as const),
      ['--accept', deletionKey(doubt)],
    ],
  };
}

function ofHazard(hazard: Hazard, rows: number | undefined): OpenQuestion {
  const { code, target, message } = hazard;
  return {
    code,
    target,
    rows,
    message: `\`${target}\`: ${message}${rowsText(rows)}`,
    help: `\`--accept ${acceptanceKey(hazard)}\` agrees to it.`,
    answers: [['--accept', acceptanceKey(hazard)]],
  };
}

/** What is most likely meant: a rename loses nothing, and each new name is given once. */
function likeliest(open: readonly OpenQuestion[]): readonly string[] {
  const taken = new Set<string>();
  return open.flatMap(({ target, answers }) => {
    const isFree = ([flag, value]: readonly [string, string]) =>
      flag !== '--rename' || !taken.has(newName(target, value));
    const [flag, value] = answers.find(isFree) ?? ['', ''];
    if (flag === '--rename') taken.add(newName(target, value));
    return [flag, value];
  });
}

/** `Post.heading` of `Post.title=heading`. */
function newName(target: string, rename: string): string {
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
      message: `\`--accept ${key}\` does not apply to anything that this run would do.`,
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

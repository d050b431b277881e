import { exitCode, type ExitCode } from '../../errors.ts';
import type { Ambiguity } from '../../evolve/changes/candidates.ts';
import { acceptanceKey, type Hazard } from '../../evolve/hazards/hazard.ts';
import { inTicks, someOf } from '../../project/paths.ts';
import { deletionKey, type Doubt, type Project } from '../../project/read-project.ts';
import type { Questions, Regeneration } from '../../project/regeneration.ts';
import { printDiagnostics, report, type Diagnostic, type Session } from '../../terminal/report.ts';
import type { RegenerateRequest } from './request.ts';
import { reportedChanges, showPlan } from './show-plan.ts';
import { commandText } from './command-text.ts';

export interface Decided {
  readonly project: Project;
  readonly regeneration: Regeneration;
  /** As if the answers had been typed. */
  readonly request: RegenerateRequest;
  readonly rows: ConcernedRows;
}

/** Acceptance key → how many rows of the project's database the hazard concerns. */
export type ConcernedRows = ReadonlyMap<string, number>;

/** Nobody can be asked: every question, the flag that answers each, and the whole command to paste; for a look, the plan. */
export function reportOpenQuestions(session: Session, decided: Decided): ExitCode {
  const { terminal } = session;
  const { request, regeneration, rows } = decided;
  const open = questionsOf(regeneration, rows);
  const diagnostics = [...open.map(toDiagnostic), ...idleAcceptances(request, regeneration)];
  const command = commandText(request, likeliest(open));
  showPlan(terminal, regeneration, request);
  printDiagnostics(terminal, diagnostics);
  if (!terminal.json) {
    terminal.err.write(`\nIf this is what you want:\n  ${command}\n\nNothing was written.\n`);
  }
  return report(session, {
    exit: exitCode.decision,
    changes: reportedChanges(regeneration.plan, request),
    diagnostics,
    next: [command],
    data: {
      decisions: open.map(({ code, target, rows: count, answers }) => ({
        code,
        target,
        rows: count,
        answers: answers.map(({ option, value }) => `--${option} ${value}`),
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

/** What only a person knows: as it is reported, and as they are asked. */
export interface OpenQuestion {
  readonly code: string;
  readonly target: string;
  readonly rows?: number | undefined;
  readonly message: string;
  readonly help: string;
  readonly prompt: string;
  /** What stays so when they stop there. */
  readonly undecided: string;
  /** The likeliest first; the last is the one that agrees to a loss. */
  readonly answers: readonly Answer[];
  /** To stop is what Enter takes. */
  readonly isCareful?: true;
}

interface Answer {
  readonly option: 'rename' | 'moved' | 'accept';
  readonly value: string;
  readonly title: string;
}

export function questionsOf(questions: Questions, counted: ConcernedRows): readonly OpenQuestion[] {
  const { ambiguities, doubts } = questions;
  return [
    ...ambiguities.map((it) => ofAmbiguity(it, counted.get(`${it.loss}:${it.target}`))),
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

/** What a drop does, in the words of a sentence about it. */
const drops: Readonly<Record<Ambiguity['loss'], string>> = {
  SCF411: 'deletes its rows',
  SCF412: 'deletes its values',
  SCF415: 'takes it out of the enum',
};

function ofAmbiguity(ambiguity: Ambiguity, rows: number | undefined): OpenQuestion {
  const { target, loss, renames } = ambiguity;
  const dropped = `${loss}:${target}`;
  const options = renames.map((rename) => `\`--rename ${rename}\``);
  const gone = `\`${target}\` is gone from the schema`;
  return {
    code: 'SCF509',
    target,
    rows,
    message: `${gone}: renamed, or dropped?${rowsText(rows)}`,
    help: `${options.join(' or ')} keeps the data; \`--accept ${dropped}\` ${drops[loss]}.`,
    prompt: `${gone}.${rowsText(rows)} Was it renamed?`,
    undecided: `What happens to \`${target}\` is undecided.`,
    answers: [
      ...renames.map((rename): Answer => {
        const title = `Yes: \`${rename.replace('=', '` → `')}\``;
        return { option: 'rename', value: rename, title };
      }),
      { option: 'accept', value: dropped, title: `No, drop it: that ${drops[loss]}` },
    ],
  };
}

function ofDoubt(doubt: Doubt): OpenQuestion {
  const { path, candidates, places } = doubt;
  const deleted = deletionKey(doubt);
  const moves = candidates.map((to) => `\`--moved ${path}=${to}\``);
  const follows = moves.length > 0 ? `${moves.join(' or ')} tracks it there; ` : '';
  const gone = `\`${path}\` is gone, and what it exported is in ${someOf(inTicks(places))}`;
  return {
    code: 'SCF517',
    target: path,
    message: `${gone}: moved, or deleted?`,
    help: `${follows}\`--accept ${deleted}\` says that you deleted it, and that the rest is yours.`,
    prompt: `${gone}. Did you move it?`,
    undecided: `What happened to \`${path}\` is undecided.`,
    answers: [
      ...candidates.map((to): Answer => {
        return { option: 'moved', value: `${path}=${to}`, title: `Yes, to \`${to}\`` };
      }),
      {
        option: 'accept',
        value: deleted,
        title: 'No, I deleted it; the copies elsewhere are mine',
      },
    ],
  };
}

function ofHazard(hazard: Hazard, rows: number | undefined): OpenQuestion {
  const { code, target, message } = hazard;
  const key = acceptanceKey(hazard);
  return {
    code,
    target,
    rows,
    message: `\`${target}\`: ${message}${rowsText(rows)}`,
    help: `${code === 'SCF424' ? 'Give the field a `backfill`, which those rows get; ' : ''}\`--accept ${key}\` agrees to it.`,
    prompt: `${key}: ${message}${rowsText(rows)} Go on?`,
    undecided: `\`${target}\` stays as it is.`,
    answers: [{ option: 'accept', value: key, title: `Yes, as with --accept ${key}` }],
    isCareful: true,
  };
}

/** ` 1,204 rows in your database.`; nothing where nobody counted. */
function rowsText(rows: number | undefined): string {
  if (rows === undefined) return '';
  const number = rows.toLocaleString('en-US');
  return ` ${number} ${rows === 1 ? 'row' : 'rows'} in your database.`;
}

/** What is most likely meant: a rename loses nothing, and each new name is given once. */
function likeliest(open: readonly OpenQuestion[]): readonly string[] {
  const taken = new Set<string>();
  return open.flatMap(({ target, answers }) => {
    const isFree = ({ option, value }: Answer) =>
      option !== 'rename' || !taken.has(newName(target, value));
    const answer = answers.find(isFree);
    if (answer === undefined) return [];
    if (answer.option === 'rename') taken.add(newName(target, answer.value));
    return [`--${answer.option}`, answer.value];
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
  const applicable = new Set([
    ...hazards.map(acceptanceKey),
    ...deleted.map(({ path }) => deletionKey({ path })),
  ]);
  return accept
    .filter((key) => !applicable.has(key))
    .map((key) => ({
      code: 'SCF516',
      severity: 'warning',
      message: `\`--accept ${key}\` does not apply to anything that this run would do.`,
    }));
}

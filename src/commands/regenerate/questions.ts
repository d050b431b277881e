import { inTicks, joinWithAnd } from '../../words.ts';
import type { Ambiguity } from '../../evolve/changes/candidates.ts';
import { acceptanceKey, type Hazard } from '../../evolve/hazards/hazard.ts';
import { deletionKey, type Doubt, type Questions } from '../../project/questions.ts';

/** How many rows of the project's database a hazard affects, by acceptance key. */
export type ConcernedRows = ReadonlyMap<string, number>;

/** A question that only a person can answer. */
export interface OpenQuestion {
  readonly code: string;
  readonly target: string;
  readonly rows?: number | undefined;
  readonly message: string;
  readonly help: string;
  readonly prompt: string;
  /** What stays undecided if they stop. */
  readonly undecided: string;
  /** The most likely first. The last one accepts a loss. */
  readonly answers: readonly Answer[];
  /** Whether Enter means to stop. */
  readonly isCareful?: true;
}

export interface Answer {
  readonly option: 'rename' | 'moved' | 'accept';
  readonly value: string;
  readonly title: string;
  /** The new name that this answer uses up: `Post.heading`. */
  readonly taken?: string;
}

export const optionText = ({ option, value }: Answer) => `--${option} ${value}`;

export function listQuestions(
  questions: Questions,
  counted: ConcernedRows,
): readonly OpenQuestion[] {
  const { ambiguities, doubts } = questions;
  return [
    ...ambiguities.map((it) => askAmbiguity(it, counted.get(acceptanceKey(it)))),
    ...doubts.map(askDoubt),
    ...openHazards(questions).map((it) => askHazard(it, counted.get(acceptanceKey(it)))),
  ];
}

/** Hazards that do not depend on an open rename. The rename of a model decides about everything that refers to it. */
function openHazards({ ambiguities, unaccepted }: Questions): readonly Hazard[] {
  if (ambiguities.some(({ code }) => code === 'SCF411')) return [];
  const unclear = new Set(
    ambiguities.flatMap((it) => [it.target, ...it.renames.map(({ target }) => target)]),
  );
  return unaccepted.filter(({ target }) => !unclear.has(target));
}

/** What happens if something is dropped, as a part of a sentence. */
const drops: Readonly<Record<Ambiguity['code'], string>> = {
  SCF411: 'deletes its rows',
  SCF412: 'deletes its values',
  SCF415: 'takes it out of the enum',
};

function askAmbiguity(ambiguity: Ambiguity, rows: number | undefined): OpenQuestion {
  const { target, code, renames } = ambiguity;
  const dropped = acceptanceKey(ambiguity);
  const options = renames.map(({ to }) => `\`--rename ${target}=${to}\``);
  const gone = `\`${target}\` is gone from the schema`;
  return {
    code: 'SCF509',
    target,
    rows,
    message: `${gone}: renamed, or dropped?${rowsText(rows)}`,
    help: `${options.join(' or ')} keeps the data; \`--accept ${dropped}\` ${drops[code]}.`,
    prompt: `${gone}.${rowsText(rows)} Was it renamed?`,
    undecided: `What happens to \`${target}\` is undecided.`,
    answers: [
      ...renames.map((rename): Answer => {
        const title = `Yes: \`${target}\` → \`${rename.to}\``;
        return { option: 'rename', value: `${target}=${rename.to}`, title, taken: rename.target };
      }),
      { option: 'accept', value: dropped, title: `No, drop it: that ${drops[code]}` },
    ],
  };
}

function askDoubt(doubt: Doubt): OpenQuestion {
  const { path, candidates, paths } = doubt;
  const deleted = deletionKey(doubt);
  const moves = candidates.map((to) => `\`--moved ${path}=${to}\``);
  const follows = moves.length > 0 ? `${moves.join(' or ')} tracks it there; ` : '';
  const gone = `\`${path}\` is gone, and its exports are in ${joinWithAnd(inTicks(paths))}`;
  return {
    code: 'SCF517',
    target: path,
    message: `${gone}: moved, or deleted?`,
    help: `${follows}\`--accept ${deleted}\` means that you deleted it and that its exports are yours now.`,
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

function askHazard(hazard: Hazard, rows: number | undefined): OpenQuestion {
  const { code, target, message, remedy } = hazard;
  const key = acceptanceKey(hazard);
  return {
    code,
    target,
    rows,
    message: `\`${target}\`: ${message}${rowsText(rows)}`,
    help: `${remedy ? `${remedy}; ` : ''}\`--accept ${key}\` accepts this.`,
    prompt: `${key}: ${message}${rowsText(rows)} Go on?`,
    undecided: `\`${target}\` stays as it is.`,
    answers: [{ option: 'accept', value: key, title: `Yes, as with --accept ${key}` }],
    isCareful: true,
  };
}

/** ` 1,204 rows in your database.`; empty if nobody counted. */
function rowsText(rows: number | undefined): string {
  if (rows === undefined) return '';
  if (rows === 0) return ' Your database has no such row, but others may.';
  const number = rows.toLocaleString('en-US');
  return ` ${number} ${rows === 1 ? 'row' : 'rows'} in your database.`;
}

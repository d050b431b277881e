import { present } from '../../present.ts';
import type { Mode, RenderedFile } from '../../render/rendered-file.ts';
import type { TextFile } from '../disk.ts';
import type { LabelledConflict } from '../open-conflicts.ts';
import type { FileChange } from '../plan.ts';
import { recordFile } from '../record.ts';
import {
  type Carried,
  makeOutcome,
  type FileOutcome,
  type FormerFile,
  withModel,
} from './outcome.ts';

export interface Known {
  readonly file: RenderedFile;
  readonly was: FormerFile;
  readonly found: TextFile;
  readonly isMoved: boolean;
  readonly isAsRecorded: boolean;
  /** Edited declarations that move here from other files. */
  readonly movedHere: readonly Carried[];
  /** A sentence that says why it moves, if it does. */
  readonly moveReason: string;
}

/** How to report a file, and its standing if nothing has to be written. */
const ways = {
  unchanged: { action: 'update', reason: 'You have not edited it.', standing: 'unchanged' },
  kept: { action: 'update', reason: 'You have not edited it.', standing: 'kept' },
  merged: { action: 'merge', reason: 'It has your edits and the changes.', standing: 'kept' },
  ours: {
    action: 'merge',
    reason: 'It has your edits and the changes; where they met, your lines stay.',
    standing: 'kept',
  },
  theirs: {
    action: 'merge',
    reason: 'It has your edits and the changes; where they met, scaffold’s lines were taken.',
    standing: 'kept',
  },
} as const;

export function settleText(
  known: Known,
  after: string,
  way: keyof typeof ways,
  taken?: readonly LabelledConflict[],
): FileOutcome {
  const { file, found, isMoved, isAsRecorded, movedHere, moveReason } = known;
  const { standing, action, reason } = ways[way];
  const mode = mergeMode(known);
  const isSame = isAsRecorded && !isMoved;
  const memory = { recorded: recordFile(file), ...(isSame ? {} : { base: file.content }) };
  const isWritten = after !== found.text || mode !== found.mode || isMoved;
  if (!isWritten && !taken) return { path: file.path, standing, ...memory };
  const move = way === 'unchanged' ? moveReason : `${moveReason} Your edits came along.`;
  const names = movedHere.map(({ name, from }) => `\`${name}\` came from \`${from}\``);
  const change: FileChange = {
    ...changeOf(known),
    action: isMoved ? 'move' : isWritten ? action : 'adopt',
    reason: names.length > 0 ? `${names.join(', ')}, with your edits.` : isMoved ? move : reason,
    after,
    mode,
    conflicts: [],
    ...present({ settled: taken }),
  };
  return makeOutcome(change, memory);
}

/** The base stays until the conflict is settled. */
export function reportConflicts(
  known: Known,
  after: string,
  conflicts: readonly LabelledConflict[],
  base: string,
): FileOutcome {
  const { file, was, isMoved } = known;
  const places = conflicts.length === 1 ? 'One place was' : `${conflicts.length} places were`;
  const reason = `${places} changed by you and by scaffold.`;
  const facts = recordFile(file);
  const change = { ...changeOf(known), reason, after, mode: mergeMode(known), conflicts };
  return makeOutcome(
    { ...change, action: 'conflict' },
    {
      recorded: { ...facts, base: was.recorded.base, state: 'conflict' },
      ...(isMoved && { base }),
      open: { path: file.path, kind: 'marked', file: facts, conflicts },
    },
  );
}

function changeOf({ file, was, found, isMoved }: Known) {
  const from = isMoved ? { from: was.path } : {};
  return { path: file.path, before: found.text, ...from, ...withModel(file) };
}

function mergeMode({ file, was, found }: Known): Mode {
  return found.mode === was.recorded.mode ? file.mode : found.mode;
}

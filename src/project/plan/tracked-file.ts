import { present } from '../../present.ts';
import type { Mode } from '../../render/rendered-file.ts';
import type { TextFile } from '../disk.ts';
import { type LabelledConflict, printPlaces } from '../open-conflicts.ts';
import type { FileChange } from '../plan.ts';
import { recordFile } from '../record.ts';
import {
  type MovedDeclaration,
  makeOutcome,
  type FileOutcome,
  type MatchedFile,
  pickModel,
} from './outcome.ts';

export interface TrackedFile extends Required<MatchedFile> {
  readonly found: TextFile;
  /** Whether the new text is the one that the record has. */
  readonly isAsRecorded: boolean;
  /** Declarations with edits that move here from other files. */
  readonly movedHere: readonly MovedDeclaration[];
  /** Why the file moves, a sentence for the user; absent if it stays. */
  readonly moveReason?: string;
}

/** How a file with a new text is reported, and its status if nothing has to be written. */
const textResults = {
  unchanged: { action: 'update', reason: 'You have not edited it.', status: 'unchanged' },
  kept: { action: 'update', reason: 'Only its mode changes; your edits stay.', status: 'kept' },
  merged: { action: 'merge', reason: 'It has your edits and the changes.', status: 'kept' },
  ours: {
    action: 'merge',
    reason: 'It has your edits and the changes; where they met, your lines stay.',
    status: 'kept',
  },
  theirs: {
    action: 'merge',
    reason: 'It has your edits and the changes; where they met, scaffold’s lines were taken.',
    status: 'kept',
  },
} as const;

export function withText(
  tracked: TrackedFile,
  after: string,
  result: keyof typeof textResults,
  taken?: readonly LabelledConflict[],
): FileOutcome {
  const { file, found, isAsRecorded, movedHere, moveReason } = tracked;
  const isMoved = moveReason !== undefined;
  const { status, action, reason } = textResults[result];
  const mode = mergeMode(tracked);
  const isSame = isAsRecorded && !isMoved;
  const forRecord = { recorded: recordFile(file), ...(isSame ? {} : { base: file.content }) };
  const isWritten = after !== found.text || mode !== found.mode || isMoved;
  if (!isWritten && !taken) return { path: file.path, status, ...forRecord };
  const edits = result === 'unchanged' ? '' : ' It has your edits.';
  const shown = isMoved ? `${moveReason}${edits}` : reason;
  const names = movedHere.map(({ name, from }) => `\`${name}\` came from \`${from}\``);
  const change: FileChange = {
    ...startChange(tracked),
    action: isMoved ? 'move' : isWritten ? action : 'adopt',
    reason: names.length > 0 ? `${names.join(', ')}, with your edits.` : shown,
    after,
    mode,
    conflicts: [],
    ...present({ resolved: taken }),
  };
  return makeOutcome(change, forRecord);
}

/** Keeps the old base until the conflict is resolved. */
export function withConflicts(
  tracked: TrackedFile,
  after: string,
  conflicts: readonly LabelledConflict[],
  base: string,
): FileOutcome {
  const { file, former, moveReason } = tracked;
  const reason = `You and scaffold both changed it in ${printPlaces(conflicts)}.`;
  const recorded = recordFile(file);
  const change = { ...startChange(tracked), reason, after, mode: mergeMode(tracked), conflicts };
  return makeOutcome(
    { ...change, action: 'conflict' },
    {
      recorded: { ...recorded, base: former.recorded.base, state: 'conflict' },
      ...(moveReason !== undefined && { base }),
      open: { path: file.path, kind: 'marked', file: recorded, conflicts },
    },
  );
}

function startChange({ file, former, found, moveReason }: TrackedFile) {
  const from = moveReason === undefined ? {} : { from: former.path };
  return { path: file.path, before: found.text, ...from, ...pickModel(file) };
}

function mergeMode({ file, former, found }: TrackedFile): Mode {
  return found.mode === former.recorded.mode ? file.mode : found.mode;
}

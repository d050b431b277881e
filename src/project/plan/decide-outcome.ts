import { present } from '../../present.ts';
import { withLineEndingsOf, normalized } from '../../merge/line-endings.ts';
import { hasMarkers, settleGenerated } from '../../merge/markers.ts';
import { isReformatted } from '../../merge/merge.ts';
import type { RenderedFile } from '../../render/rendered-file.ts';
import { cannotWrite, type TextFile } from '../disk.ts';
import { hashText } from '../paths.ts';
import type { FileChange } from '../plan.ts';
import { recordFile, type RecordedFile } from '../record.ts';
import {
  makeOutcome,
  type FileOutcome,
  type FormerFile,
  type Meeting,
  withModel,
  type DecisionFacts,
} from './outcome.ts';
import { type Known, settleText, reportConflicts } from './known-file.ts';

/** Decides by comparing base, disk and new text; the owner never loses a line. */
export async function decideOutcome(
  { file, was }: Meeting,
  facts: DecisionFacts,
): Promise<FileOutcome> {
  const path = was?.path ?? file.path;
  const found = facts.disk(path);
  const isMoved = path !== file.path;
  const isAsRecorded = was?.recorded.base === hashText(file.content);
  if (found?.kind === 'obstacle') {
    if (!was || isMoved || !isAsRecorded) throw cannotWrite(path, found.what);
    return { path, standing: 'kept', recorded: was.recorded };
  }
  if (!was) return found ? meetStranger(file, found, facts) : create(file, facts);
  if (!found) return facts.isRestored(path) ? restore(file) : skip(file, was);
  const movedHere = facts.carried.filter(({ to }) => to === file.path);
  const moveReason = facts.renamedTemplates.has(file.id)
    ? 'This version of scaffold renamed it.'
    : 'Its model was renamed.';
  const known: Known = { file, was, found, isMoved, isAsRecorded, movedHere, moveReason };
  const isUnedited = hashText(found.text) === was.recorded.base;
  if (isUnedited && movedHere.length === 0) return replace(known);
  // After a merge of branches, the file may already be as it is made now.
  const isMarked = hasMarkers(found.text);
  if (isAsRecorded && !isMarked) return settleText(known, found.text, 'kept');
  return file.policy === 'tool' ? meetStranger(file, found, facts) : mergeBoth(known, facts);
}

const reasons = {
  create: 'It is new.',
  migration: 'It brings the database to the new schema.',
  ours: 'You and scaffold both made it. Yours stays.',
  theirs: 'You and scaffold both made it. You asked for scaffold’s version.',
  added: 'You and scaffold both made it. Yours was left as it is.',
  tool: 'You edited a program that scaffold replaces as a whole. Yours was left as it is.',
  skip: 'You deleted it; `--restore` brings it back.',
  restore: 'You asked for it back.',
  adopt: 'It was already there, exactly as scaffold makes it.',
} as const;

function create(file: RenderedFile, { lacking }: DecisionFacts): FileOutcome {
  const { mode, content: after, policy, path } = file;
  const lack = lacking.get(path);
  if (lack === undefined) {
    const reason = policy === 'appended' ? reasons.migration : reasons.create;
    return made(file, { action: 'create', reason, after, mode });
  }
  // It counts as deleted by its owner, too.
  const reason = `It needs \`${lack}\`, which you deleted; \`--restore\` brings both back.`;
  return made(file, { action: 'skip', reason, mode }, 'deleted');
}

function restore(file: RenderedFile): FileOutcome {
  const text = { after: file.content, mode: file.mode };
  return made(file, { action: 'restore', reason: reasons.restore, ...text });
}

/** Reported once, and again when a change is skipped. The base is updated for `--restore`. */
function skip(file: RenderedFile, { recorded, path }: FormerFile): FileOutcome {
  const isSame = recorded.base === hashText(file.content) && path === file.path;
  if (isSame && recorded.state === 'deleted') return { path, standing: 'deleted', recorded };
  const change = { action: 'skip', reason: reasons.skip, mode: file.mode } as const;
  const { base, ...outcome } = made(file, change, 'deleted');
  return isSame ? outcome : { ...outcome, ...present({ base }) };
}

/** The user has a file of their own where one is to be made. */
function meetStranger(
  file: RenderedFile,
  found: TextFile,
  { onConflict }: DecisionFacts,
): FileOutcome {
  const text = { before: found.text, after: found.text, mode: found.mode };
  if (normalized(found.text) === file.content) {
    return made(file, { action: 'adopt', reason: reasons.adopt, ...text });
  }
  if (onConflict === 'ours') return made(file, { action: 'adopt', reason: reasons.ours, ...text });
  if (onConflict === 'theirs') {
    const after = withLineEndingsOf(found.text, file.content);
    return made(file, { action: 'update', reason: reasons.theirs, ...text, after });
  }
  const { path, content: theirs } = file;
  const whole = { where: '', line: 1, base: '', mine: normalized(found.text), theirs };
  const conflicts = [{ ...whole, elements: [] }];
  const reason = file.policy === 'tool' ? reasons.tool : reasons.added;
  return makeOutcome(
    { path, action: 'conflict', reason, ...text, conflicts, ...withModel(file) },
    { open: { path, kind: 'added', file: recordFile(file), conflicts } },
  );
}

function replace(known: Known): FileOutcome {
  return settleText(known, withLineEndingsOf(known.found.text, known.file.content), 'unchanged');
}

async function mergeBoth(known: Known, facts: DecisionFacts): Promise<FileOutcome> {
  const { file, was, found, movedHere } = known;
  const mine = settleGenerated(normalized(found.text), file.content, facts.otherBranch(file));
  if (hasMarkers(mine)) {
    if (known.isAsRecorded) return settleText(known, found.text, 'kept');
    return { path: was.path, standing: 'marked' };
  }
  const base = facts.baseOf(was);
  if (base === undefined) return meetStranger({ ...file, path: was.path }, found, facts);
  const { text, conflicts, settled: taken } = await facts.mergeFile(file, { base, mine });
  const after = withLineEndingsOf(found.text, text);
  if (taken)
    return settleText(known, after, facts.onConflict === 'ours' ? 'ours' : 'theirs', taken);
  if (conflicts.length === 0) return settleText(known, after, 'merged');
  // A file that was only reformatted has no edits to lose, even if the new one is entirely different.
  const isUnedited = movedHere.length === 0 && (await isReformatted(file.kind, base, mine));
  return isUnedited ? replace(known) : reportConflicts(known, after, conflicts, base);
}

function made(
  file: RenderedFile,
  change: Omit<FileChange, 'path' | 'conflicts'>,
  state?: RecordedFile['state'],
): FileOutcome {
  // Migrations are never merged.
  const base = file.policy === 'appended' ? {} : { base: file.content };
  const facts = { path: file.path, conflicts: [], ...withModel(file) };
  const recorded = { ...recordFile(file), ...present({ state }) };
  return makeOutcome({ ...facts, ...change }, { recorded, ...base });
}

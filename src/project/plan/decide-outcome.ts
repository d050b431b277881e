import { present } from '../../present.ts';
import { withLineEndingsOf, toUnixLines } from '../../merge/line-endings.ts';
import { hasMarkers, resolveGenerated } from '../../merge/markers.ts';
import { isReformatted } from '../../merge/merge.ts';
import type { RenderedFile } from '../../render/rendered-file.ts';
import { cannotWrite, type TextFile } from '../disk.ts';
import { hashText } from '../paths.ts';
import type { FileChange } from '../plan.ts';
import { recordFile, type RecordedFile } from '../record.ts';
import type { DecisionContext } from './context.ts';
import {
  makeOutcome,
  type FileOutcome,
  type FormerFile,
  type MatchedFile,
  pickModel,
} from './outcome.ts';
import { type TrackedFile, withText, withConflicts } from './tracked-file.ts';

/** Compares the base, the text on disk and the new text. No outcome loses a line of the owner's. */
export async function decideOutcome(
  { file, former }: MatchedFile,
  context: DecisionContext,
): Promise<FileOutcome> {
  const path = former?.path ?? file.path;
  const found = context.disk(path);
  const isAsRecorded = former?.recorded.base === hashText(file.content);
  if (found?.kind === 'obstacle') {
    if (path !== file.path || !isAsRecorded || !former) throw cannotWrite(path, found.what);
    return { path, status: 'kept', recorded: former.recorded };
  }
  if (!former)
    return found ? decideWithoutBase(file, found, context, 'made') : createdOutcome(file, context);
  if (!found)
    return context.isRestored(path) ? restoredOutcome(file) : skippedOutcome(file, former);
  const movedHere = context.movedDeclarations.filter(({ to }) => to === file.path);
  const move = path === file.path ? {} : { moveReason: explainMove(file, context) };
  const tracked: TrackedFile = { file, former, found, isAsRecorded, movedHere, ...move };
  const isAsEmitted = hashText(found.text) === former.recorded.base;
  if (isAsEmitted && movedHere.length === 0) return replacedOutcome(tracked);
  // After a merge of branches, the record may already be that of the new text.
  const isMarked = hasMarkers(found.text);
  if (isAsRecorded && !isMarked) return withText(tracked, found.text, 'kept');
  return file.policy === 'tool'
    ? decideWithoutBase(file, found, context, 'tool')
    : mergeBoth(tracked, context);
}

function explainMove({ id }: RenderedFile, { renamedTemplates }: DecisionContext): string {
  return renamedTemplates.has(id)
    ? 'This version of scaffold renamed it.'
    : 'Its model was renamed.';
}

const reasons = {
  create: 'It is new.',
  migration: 'It brings the database to the new schema.',
  skip: 'You deleted it; `--restore` brings it back.',
  restore: 'You asked for it back.',
  adopt: 'It was already there, exactly as scaffold makes it.',
} as const;

function createdOutcome(file: RenderedFile, { missingImports }: DecisionContext): FileOutcome {
  const { mode, content: after, policy, path } = file;
  const missing = missingImports.get(path);
  if (missing === undefined) {
    const reason = policy === 'appended' ? reasons.migration : reasons.create;
    return outcomeFromFile(file, { action: 'create', reason, after, mode });
  }
  // The record lists it as deleted by its owner, like the file that it needs.
  const reason = `It needs \`${missing}\`, which you deleted; \`--restore\` brings both back.`;
  return outcomeFromFile(file, { action: 'skip', reason, mode }, 'deleted');
}

function restoredOutcome(file: RenderedFile): FileOutcome {
  const text = { after: file.content, mode: file.mode };
  return outcomeFromFile(file, { action: 'restore', reason: reasons.restore, ...text });
}

/** Reported once, and again whenever a change is skipped. The base is updated, so that `--restore` works later. */
function skippedOutcome(file: RenderedFile, { recorded, path }: FormerFile): FileOutcome {
  const isSame = recorded.base === hashText(file.content) && path === file.path;
  if (isSame && recorded.state === 'deleted') return { path, status: 'deleted', recorded };
  const change = { action: 'skip', reason: reasons.skip, mode: file.mode } as const;
  const { base, ...outcome } = outcomeFromFile(file, change, 'deleted');
  return isSame ? outcome : { ...outcome, ...present({ base }) };
}

/** Why a file is not merged: the owner made it, too; it is a program of scaffold; its base is lost. */
const unmerged = {
  made: 'You and scaffold both made it.',
  tool: 'You edited a program that scaffold replaces as a whole.',
  lost: 'What scaffold emitted last is lost, so it cannot be merged.',
} as const;

/** Takes one side of a whole file, or leaves both in conflict. */
function decideWithoutBase(
  file: RenderedFile,
  found: TextFile,
  { onConflict }: DecisionContext,
  why: keyof typeof unmerged,
): FileOutcome {
  const text = { before: found.text, after: found.text, mode: found.mode };
  if (toUnixLines(found.text) === file.content) {
    return outcomeFromFile(file, { action: 'adopt', reason: reasons.adopt, ...text });
  }
  if (onConflict === 'ours') {
    const reason = `${unmerged[why]} Yours stays.`;
    return outcomeFromFile(file, { action: 'adopt', reason, ...text });
  }
  if (onConflict === 'theirs') {
    const after = withLineEndingsOf(found.text, file.content);
    const reason = `${unmerged[why]} You asked for scaffold’s version.`;
    return outcomeFromFile(file, { action: 'update', reason, ...text, after });
  }
  const { path, content: theirs } = file;
  const whole = { where: '', line: 1, base: '', ours: toUnixLines(found.text), theirs };
  const conflicts = [{ ...whole, elements: [] }];
  const reason = `${unmerged[why]} Yours was left as it is.`;
  return makeOutcome(
    { path, action: 'conflict', reason, ...text, conflicts, ...pickModel(file) },
    { open: { path, kind: 'added', file: recordFile(file), conflicts } },
  );
}

function replacedOutcome(tracked: TrackedFile): FileOutcome {
  return withText(
    tracked,
    withLineEndingsOf(tracked.found.text, tracked.file.content),
    'unchanged',
  );
}

async function mergeBoth(tracked: TrackedFile, context: DecisionContext): Promise<FileOutcome> {
  const { file, former, found, movedHere } = tracked;
  const ours = resolveGenerated(toUnixLines(found.text), file.content, context.branchText(file));
  if (hasMarkers(ours)) {
    if (tracked.isAsRecorded) return withText(tracked, found.text, 'kept');
    return { path: former.path, status: 'has-markers' };
  }
  const base = context.baseOf(former);
  if (base === undefined)
    return decideWithoutBase({ ...file, path: former.path }, found, context, 'lost');
  const { text, conflicts, resolved: taken } = await context.mergeFile(file, { base, ours });
  const after = withLineEndingsOf(found.text, text);
  if (taken)
    return withText(tracked, after, context.onConflict === 'ours' ? 'ours' : 'theirs', taken);
  if (conflicts.length === 0) return withText(tracked, after, 'merged');
  // A file that was only reformatted has no edits to lose.
  const isOnlyReformatted = movedHere.length === 0 && (await isReformatted(file.kind, base, ours));
  return isOnlyReformatted
    ? replacedOutcome(tracked)
    : withConflicts(tracked, after, conflicts, base);
}

function outcomeFromFile(
  file: RenderedFile,
  change: Omit<FileChange, 'path' | 'conflicts'>,
  state?: RecordedFile['state'],
): FileOutcome {
  // Migrations are never merged.
  const base = file.policy === 'appended' ? {} : { base: file.content };
  const shared = { path: file.path, conflicts: [], ...pickModel(file) };
  const recorded = { ...recordFile(file), ...present({ state }) };
  return makeOutcome({ ...shared, ...change }, { recorded, ...base });
}

import { withLineEndingsOf, plain } from '../../merge/line-endings.ts';
import { hasMarkers, settleGenerated } from '../../merge/markers.ts';
import { isReformatted } from '../../merge/merge.ts';
import type { Mode, RenderedFile } from '../../render/rendered-file.ts';
import { readPlain, refuse, type TextFile, type Disk } from '../disk.ts';
import type { LabelledConflict } from '../open-conflicts.ts';
import { hashText } from '../paths.ts';
import type { Change } from '../plan.ts';
import { recordFile, type RecordedFile } from '../record.ts';
import {
  changed,
  type FileOutcome,
  type FormerFile,
  type Meeting,
  modelOf,
  type World,
} from './outcome.ts';
import type { History } from './schema-step.ts';

/** The table of base, disk and new text: never a line of the user's is lost. */
export async function decideOutcome(meeting: Meeting, world: World): Promise<FileOutcome> {
  const { file, was } = meeting;
  const found = world.disk(was?.path ?? file.path);
  const hasChanged = was?.recorded.base !== hashText(file.content) || was.path !== file.path;
  if (found?.kind === 'obstacle') {
    if (hasChanged) throw refuse(was?.path ?? file.path, found.what);
    return { path: file.path, standing: 'kept', recorded: was.recorded };
  }
  if (!was) return found ? meetStranger(file, found, world) : create(file, world);
  if (!found) return world.isRestored(was.path) ? restore(file) : skip(file, was);
  const isRenamed = world.renamedTemplates.has(file.id);
  const known: Known = { file, was, found, moved: isRenamed ? ofTemplate : ofModel };
  const isPlain = hashText(found.text) === was.recorded.base;
  if (isPlain && !isTarget(known, world)) return replace(known);
  // Of two branches, one may have what is made now.
  const isMarked = hasMarkers(found.text);
  return isAsRecorded(known) && !isMarked ? keep(known) : mergeBoth(known, world);
}

interface Known {
  readonly file: RenderedFile;
  readonly was: FormerFile;
  readonly found: TextFile;
  /** Why it moves, where it does. */
  readonly moved: { readonly plain: string; readonly edited: string };
}

const reasons = {
  create: 'It is new.',
  migration: 'It brings the database to the new schema.',
  aside: 'It is for the other engine.',
  update: 'You have not edited it.',
  merge: 'It has your edits and the changes.',
  ours: 'You and scaffold both made it. Yours stays.',
  theirs: 'You and scaffold both made it. You asked for scaffold’s version.',
  added: 'You and scaffold both made it. Yours was left as it is.',
  skip: 'You deleted it; `--restore` brings it back.',
  restore: 'You asked for it back.',
  adopt: 'It was already there, exactly as scaffold makes it.',
} as const;

const ofModel = {
  plain: 'Its model was renamed.',
  edited: 'Its model was renamed. Your edits came along.',
};

const ofTemplate = {
  plain: 'This version of scaffold renamed it.',
  edited: 'This version of scaffold renamed it. Your edits came along.',
};

function create(file: RenderedFile, { lacking }: World): FileOutcome {
  const lack = lacking.get(file.path);
  if (lack !== undefined) return strand(file, lack);
  const reason = file.policy === 'appended' ? reasons.migration : reasons.create;
  return made(file, { action: 'create', reason, after: file.content, mode: file.mode });
}

/** As if its owner had deleted it too. */
function strand(file: RenderedFile, lack: string): FileOutcome {
  const reason = `It needs \`${lack}\`, which you deleted; \`--restore\` brings both back.`;
  const outcome = made(file, { action: 'skip', reason, mode: file.mode });
  return { ...outcome, recorded: { ...recordFile(file), state: 'deleted' } };
}

function restore(file: RenderedFile): FileOutcome {
  const text = { after: file.content, mode: file.mode };
  return made(file, { action: 'restore', reason: reasons.restore, ...text });
}

/** Told when it is news, or misses a change. The base moves on, so that what comes back one day is what is made then. */
function skip(file: RenderedFile, { recorded, path }: FormerFile): FileOutcome {
  const outcome = made(file, { action: 'skip', reason: reasons.skip, mode: file.mode });
  const isSame = recorded.base === hashText(file.content) && path === file.path;
  if (isSame && recorded.state === 'deleted') return { path, standing: 'deleted', recorded };
  const { base: _, ...kept } = outcome;
  return { ...(isSame ? kept : outcome), recorded: { ...recordFile(file), state: 'deleted' } };
}

/** A file of the user's own where one is to be made. */
function meetStranger(file: RenderedFile, found: TextFile, { onConflict }: World): FileOutcome {
  const text = { before: found.text, after: found.text, mode: found.mode };
  if (plain(found.text) === file.content) {
    return made(file, { action: 'adopt', reason: reasons.adopt, ...text });
  }
  if (onConflict === 'ours') return made(file, { action: 'adopt', reason: reasons.ours, ...text });
  if (onConflict === 'theirs') {
    const after = withLineEndingsOf(found.text, file.content);
    return made(file, { action: 'update', reason: reasons.theirs, ...text, after });
  }
  const whole = { where: '', line: 1, base: '', mine: plain(found.text), theirs: file.content };
  const { path } = file;
  const conflicts = [{ ...whole, elements: [] }];
  return changed(
    { path, action: 'conflict', reason: reasons.added, ...text, conflicts, ...modelOf(file) },
    { open: { path, kind: 'added', file: recordFile(file), conflicts } },
  );
}

function replace(known: Known): FileOutcome {
  const after = withLineEndingsOf(known.found.text, known.file.content);
  const reason = isMoved(known) ? known.moved.plain : reasons.update;
  return settled(known, after, reason, 'unchanged');
}

function keep(known: Known): FileOutcome {
  const reason = isMoved(known) ? known.moved.edited : reasons.update;
  return settled(known, known.found.text, reason, 'kept');
}

async function mergeBoth(known: Known, world: World): Promise<FileOutcome> {
  const { file, was, found } = known;
  const mine = settleGenerated(plain(found.text), file.content, world.otherBranch(file));
  if (hasMarkers(mine))
    return isAsRecorded(known) ? keep(known) : { path: was.path, standing: 'marked' };
  const base = world.baseOf(was);
  if (base === undefined) return meetStranger({ ...file, path: was.path }, found, world);
  const { text, conflicts } = await world.mergeFile(file, { base, mine });
  const after = withLineEndingsOf(found.text, text);
  if (conflicts.length > 0) {
    // Where nothing was written there is nothing to lose: another file altogether may have taken its place.
    if (!isTarget(known, world) && (await isReformatted(file.kind, base, mine))) {
      return replace(known);
    }
    return conflicting(known, after, conflicts, base);
  }
  const reason = isMoved(known) ? known.moved.edited : reasons.merge;
  const outcome = settled(known, after, reason, 'kept');
  if (!outcome.change || !isTarget(known, world)) return outcome;
  return { ...outcome, change: { ...outcome.change, reason: reasonToCarry(file.path, world) } };
}

/** Whether it gets an edited declaration of another file. */
function isTarget({ file }: Known, { carried }: World): boolean {
  return carried.some(({ to }) => to === file.path);
}

function reasonToCarry(path: string, { carried }: World): string {
  const came = carried
    .filter(({ to }) => to === path)
    .map(({ name, from }) => `\`${name}\` came from \`${from}\``);
  return `${came.join(', ')}, with your edits.`;
}

/** `standing`: what it is when nothing is to be written. */
function settled(
  known: Known,
  after: string,
  reason: string,
  standing: 'kept' | 'unchanged',
): FileOutcome {
  const { file, was, found } = known;
  const mode = mergeMode(known);
  const isSame = was.recorded.base === hashText(file.content) && !isMoved(known);
  const memory = { recorded: recordFile(file), ...(isSame ? {} : { base: file.content }) };
  if (after === found.text && mode === found.mode && !isMoved(known)) {
    return { path: file.path, standing, ...memory };
  }
  const action = isMoved(known) ? 'move' : reason === reasons.merge ? 'merge' : 'update';
  const change: Change = { ...changeOf(known), action, reason, after, mode, conflicts: [] };
  return changed(change, memory);
}

/** The base stays until the conflict is settled. */
function conflicting(
  known: Known,
  after: string,
  conflicts: readonly LabelledConflict[],
  base: string,
): FileOutcome {
  const { file, was } = known;
  const places = conflicts.length === 1 ? 'One place was' : `${conflicts.length} places were`;
  const reason = `${places} changed by you and by scaffold.`;
  const facts = recordFile(file);
  const change = { ...changeOf(known), reason, after, mode: mergeMode(known), conflicts };
  return changed(
    { ...change, action: 'conflict' },
    {
      recorded: { ...facts, base: was.recorded.base, state: 'conflict' },
      ...(isMoved(known) && { base }),
      open: { path: file.path, kind: 'marked', file: facts, conflicts },
    },
  );
}

function made(file: RenderedFile, change: Omit<Change, 'path' | 'conflicts'>): FileOutcome {
  // History is never merged.
  const base = file.policy === 'appended' ? {} : { base: file.content };
  const facts = { path: file.path, conflicts: [], ...modelOf(file) };
  return changed({ ...facts, ...change }, { recorded: recordFile(file), ...base });
}

function changeOf({ file, was, found }: Known) {
  const from = was.path === file.path ? {} : { from: was.path };
  return { path: file.path, before: found.text, ...from, ...modelOf(file) };
}

function isAsRecorded({ file, was }: Known): boolean {
  return was.recorded.base === hashText(file.content);
}

function isMoved({ file, was }: Known): boolean {
  return file.path !== was.path;
}

function mergeMode({ file, was, found }: Known): Mode {
  return found.mode === was.recorded.mode ? file.mode : found.mode;
}

/** What becomes of the migrations that are there: they stay as they are, but for what two branches or two engines ask. */
export function historyOutcomes(
  recorded: readonly FormerFile[],
  history: History,
  disk: Disk,
): readonly FileOutcome[] {
  const known = new Map(recorded.map((it) => [it.path, it.recorded]));
  const there = history.migrations.flatMap(({ id, texts }) =>
    Object.keys(texts).map((name) => `migrations/${id}/${name}`),
  );
  const paths = [...new Set([...known.keys(), ...there, ...history.rewritten.keys()])].toSorted();
  return paths.map((path) => {
    const found = readPlain(disk, path);
    const { after, reason = '' } = history.rewritten.get(path) ?? {};
    // A way back, now that nothing is refused any more.
    if (!found && !known.has(path) && after !== undefined) {
      const { mode, ...file } = newlyKnown(path, after);
      const change: Change = { path, action: 'create', reason, after, mode, conflicts: [] };
      return changed(change, { recorded: { ...file, mode } });
    }
    const file = known.get(path) ?? newlyKnown(path, found?.text ?? '');
    // Whoever deletes a migration has decided so; the record still knows that it was there.
    if (!found) return { path, standing: 'kept', recorded: file };
    return outcomeOf({ path, recorded: file }, found, history);
  });
}

function outcomeOf(
  { path, recorded }: FormerFile,
  found: TextFile,
  { rewritten, aside }: History,
): FileOutcome {
  const facts = { path, before: found.text, mode: found.mode, conflicts: [] };
  const { after, reason } = rewritten.get(path) ?? { after: found.text, reason: '' };
  if (after === undefined) return changed({ ...facts, action: 'delete', reason });
  if (after !== found.text) {
    const base = hashText(after);
    const change: Change = { ...facts, action: 'update', reason, after };
    return changed(change, { recorded: { ...recorded, base } });
  }
  if (aside === undefined) return { path, standing: 'unchanged', recorded };
  const to = path.replace(/^migrations/, aside);
  const moved = { path: to, from: path, after, reason: reasons.aside };
  return changed({ ...facts, ...moved, action: 'move' }, { recorded: { ...recorded, id: to } });
}

/** It came from another branch, or was written by hand. */
function newlyKnown(path: string, text: string): RecordedFile {
  const kind = path.endsWith('.sql') ? 'sql' : path.endsWith('.json') ? 'json' : 'yaml';
  return { id: path, base: hashText(text), mode: '644', kind, policy: 'appended' };
}

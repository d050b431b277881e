import { digest } from '../../digest.ts';
import { inTicks } from '../../words.ts';
import { present } from '../../present.ts';
import { existsSync, readFileSync, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { exitCode, InternalError, UserError } from '../../errors.ts';
import { type Disk, openDisk, readOrRefuse } from '../disk.ts';
import { isInterrupted, isOurs, runFolder, recordPath, undoFolder } from '../paths.ts';
import { type Plan, type Write, type FileChange, emptyPlan } from '../plan.ts';
import { readRecord } from '../record.ts';
import { advance, finish, takeBack } from './replay.ts';
import { copyDurably, syncFolders, writeDurably } from './durable.ts';
import { type JournalEntry, type Journal, writeJournal, writesOf, readJournal } from './journal.ts';

/**
 * Writes a plan, whole or not at all; under the run lock. Throws a `UserError` when a file was changed meanwhile.
 * What was there is kept for `--undo`, where it may be undone. Staged, journalled, then done file by file: a crash leaves
 * what the next run finishes or takes back.
 */
export async function applyPlan(folder: string, plan: Plan, undoable = true): Promise<void> {
  if (isInterrupted(folder)) throw new InternalError('An interrupted run was not recovered.');
  const disk = openDisk(folder);
  const needed = writesOf(plan).filter((write) => isNeeded(write, disk));
  if (needed.length === 0) return;
  const journal: Journal = { version: 1, undoable, entries: needed.map(entryFor) };
  await prepare(folder, needed, journal);
  await commit(folder, journal);
}

async function prepare(folder: string, writes: readonly Write[], journal: Journal): Promise<void> {
  const home = join(folder, runFolder);
  const folders = ['', 'new', 'old'].map((name) => join(home, name));
  try {
    for (const path of folders) await fs.mkdir(path);
    for (const [at, write] of writes.entries()) await stage(folder, write, at);
    await syncFolders(folders);
    await writeJournal(home, journal);
    await syncFolders([home]);
  } catch (error) {
    await fs.rm(home, { recursive: true, force: true });
    throw error;
  }
}

/** Files that already match are not touched, so their timestamps stay. */
function isNeeded({ path, before, after, mode }: Write, disk: Disk): boolean {
  const found = readOrRefuse(disk, path);
  if (found?.text !== before) throw changedMeanwhile(path);
  return before !== after || (mode !== undefined && found !== undefined && found.mode !== mode);
}

async function stage(folder: string, write: Write, at: number): Promise<void> {
  const { path, before, after, mode } = write;
  const target = join(folder, path);
  const home = join(folder, runFolder);
  if (before !== undefined) await copyDurably(target, join(home, 'old', String(at)));
  if (after !== undefined) {
    const staged = join(home, 'new', String(at));
    await writeDurably(staged, after, mode === '755' ? 0o777 : 0o666);
    const like = write.like ?? (before === undefined ? undefined : path);
    if (like !== undefined) await fs.chmod(staged, await permissions(join(folder, like), mode));
  }
}

function entryFor({ path, before, after }: Write): JournalEntry {
  return { path, before: hashOf(before), after: hashOf(after) };
}

/** A file keeps who may read and write it; whether it can be run is the plan's. */
async function permissions(target: string, mode: Write['mode']): Promise<number> {
  const now = (await fs.stat(target)).mode & 0o777;
  if (mode === undefined) return now;
  return mode === '755' ? now | ((now & 0o444) >> 2) : now & ~0o111;
}

function hashOf(text: string | undefined): string | null {
  return text === undefined ? null : digest(text);
}

async function commit(folder: string, journal: Journal): Promise<void> {
  try {
    for (const [at, entry] of journal.entries.entries()) {
      if (!(await advance(folder, entry, at))) throw changedMeanwhile(entry.path);
    }
  } catch (error) {
    await takeBack(folder, journal);
    throw error;
  }
  await finish(folder, journal);
}

function changedMeanwhile(path: string): UserError {
  return new UserError('SCF513', `\`${path}\` was changed by something else during this run.`, {
    exit: exitCode.environment,
    help: 'Run the command again.',
    disk: 'Everything is as it was before the run; that file keeps the other change.',
  });
}

/** What takes the last run back. Throws: nothing to undo (SCF510), a file was edited since (SCF511, naming it). */
export async function planUndo(folder: string): Promise<Plan> {
  const home = join(folder, undoFolder);
  const journal = await readJournal(home);
  if (!journal || journal.entries.length === 0) {
    throw new UserError('SCF510', 'There is no run to undo.', {
      exit: exitCode.usage,
      help: 'The last run is kept, on the machine that made it, until it is undone.',
    });
  }
  const writes = readWrites(folder, journal.entries);
  const models = readModels(writes);
  return {
    ...emptyPlan,
    changes: writes.filter((it) => !isOurs(it)).map((it) => changeOf(it, models.get(it.path))),
    // The record was the last to be written, and is again.
    bookkeeping: writes.filter(isOurs),
  };
}

function readWrites(folder: string, entries: readonly JournalEntry[]): readonly Write[] {
  const disk = openDisk(folder);
  const textOf = ({ path }: JournalEntry) => readOrRefuse(disk, path)?.text;
  const edited = entries.filter((entry) => hashOf(textOf(entry)) !== entry.after);
  if (edited.length > 0) throw editedSince(edited);
  return entries.map((entry, at) => {
    const { path } = entry;
    const now = { path, ...present({ before: textOf(entry) }) };
    if (entry.before === null) return now;
    const like = `${undoFolder}/old/${at}`;
    const old = join(folder, like);
    if (!existsSync(old)) throw editedSince([entry]);
    const mode = (statSync(old).mode & 0o111) === 0 ? '644' : '755';
    return { ...now, after: readFileSync(old, 'utf8'), mode, like };
  });
}

/** To which model a file belongs, in the record before the run or in the one after it. */
function readModels(writes: readonly Write[]): ReadonlyMap<string, string> {
  const found = writes.find(({ path }) => path === recordPath);
  const texts = [found?.before, found?.after].filter((text) => text !== undefined);
  return new Map(
    texts.flatMap((text) =>
      Object.entries(readRecord(text).files).flatMap(([path, { model }]) =>
        model === undefined ? [] : [[path, model] as const],
      ),
    ),
  );
}

function changeOf(write: Write, model: string | undefined): FileChange {
  const { before, after, mode = '644' } = write;
  const action = before === undefined ? 'create' : after === undefined ? 'delete' : 'update';
  const reason = 'As it was before the last run.';
  return { ...write, mode, action, ...present({ model }), reason, conflicts: [] };
}

function editedSince(entries: readonly JournalEntry[]): UserError {
  const paths = inTicks(entries.map(({ path }) => path)).join(', ');
  return new UserError('SCF511', `Edited since the last run: ${paths}.`, {
    exit: exitCode.decision,
    help: 'Undoing the run would lose those edits. Take them back, or restore single files from version control.',
  });
}

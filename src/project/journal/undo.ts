import * as fs from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { exitCode, UserError } from '../../errors.ts';
import { applyWrites } from './apply-plan.ts';
import { openDisk, refuse, type TextFile } from '../disk.ts';
import { hashBytes } from './durable.ts';
import { type Entry, readJournal, writesOf } from './journal.ts';
import { recordPath, undoFolder } from '../paths.ts';
import { type Change, emptyPlan, type Plan, type Write } from '../plan.ts';
import { readRecord } from '../record.ts';

/** What takes the last run back. Throws: nothing to undo (SCF510), a file was edited since (SCF511, naming it). */
export async function planUndo(folder: string): Promise<Plan> {
  const home = join(folder, undoFolder);
  const journal = await readJournal(home);
  if (!journal || journal.entries.length === 0) {
    throw new UserError('SCF510', 'There is no run to undo.', {
      exit: exitCode.usage,
      help: 'The last one is kept, on the machine that made it, until it is undone.',
    });
  }
  const writes = await readWrites(folder, journal.entries);
  const models = readModels(writes);
  return {
    ...emptyPlan,
    changes: writes.filter((it) => !isOurs(it)).map((it) => changeOf(it, models.get(it.path))),
    // The record was the last to be written, and is again.
    bookkeeping: writes.filter(isOurs),
  };
}

function isOurs({ path }: Write): boolean {
  return path.startsWith('.scaffold/');
}

/** As `applyPlan`, and there is nothing left to undo. */
export async function applyUndo(folder: string, plan: Plan): Promise<void> {
  await applyWrites(folder, writesOf(plan), { undoable: false });
}

async function readWrites(folder: string, entries: readonly Entry[]): Promise<readonly Write[]> {
  const disk = openDisk(folder);
  const now = entries.map(({ path }) => {
    const found = disk(path);
    if (found?.kind === 'obstacle') throw refuse(path, found.what);
    return found;
  });
  const edited = entries.filter(({ after }, at) => hashOf(now[at]) !== after);
  if (edited.length > 0) throw editedSince(edited);
  const writes: Write[] = [];
  for (const [at, { path, before }] of entries.entries()) {
    const found = now[at];
    const old = join(folder, undoFolder, 'old', String(at));
    if (before !== null && !existsSync(old)) throw editedSince([{ path }]);
    const isRunnable = before !== null && ((await fs.stat(old)).mode & 0o111) !== 0;
    writes.push({
      path,
      ...(found && { before: found.text }),
      ...(before !== null && {
        after: await fs.readFile(old, 'utf8'),
        mode: isRunnable ? '755' : '644',
        like: `${undoFolder}/old/${at}`,
      }),
    });
  }
  return writes;
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

function changeOf(write: Write, model: string | undefined): Change {
  const { path, before, after, mode = '644', like } = write;
  const action = before === undefined ? 'create' : after === undefined ? 'delete' : 'update';
  return {
    path,
    action,
    ...(model !== undefined && { model }),
    reason: 'As it was before the last run.',
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    mode,
    ...(like !== undefined && { like }),
    conflicts: [],
  };
}

function hashOf(found: TextFile | undefined): string | null {
  return found ? hashBytes(found.text) : null;
}

function editedSince(entries: readonly Pick<Entry, 'path'>[]): UserError {
  const paths = entries.map(({ path }) => `\`${path}\``).join(', ');
  return new UserError('SCF511', `Edited since the last run: ${paths}.`, {
    exit: exitCode.decision,
    help: 'Taking the run back would lose those edits. Undo them, or take single files back from version control.',
  });
}

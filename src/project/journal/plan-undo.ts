import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { exitCode, UserError } from '../../errors.ts';
import { present } from '../../present.ts';
import { inTicks } from '../../words.ts';
import { openDisk, readOrRefuse } from '../disk.ts';
import { isBelowScaffold, recordPath, undoFolder } from '../paths.ts';
import { emptyPlan, type FileChange, type Plan, type Write } from '../plan.ts';
import { readRecord } from '../record.ts';
import { hashOrNull, type JournalEntry, readJournal } from './journal.ts';

/** Plans to undo the last run. Throws if there is none (SCF510) or if a file was edited since (SCF511). */
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
    changes: writes
      .filter((it) => !isBelowScaffold(it.path))
      .map((it) => takeBack(it, models.get(it.path))),
    recordWrites: writes.filter(({ path }) => isBelowScaffold(path)),
  };
}

function readWrites(folder: string, entries: readonly JournalEntry[]): readonly Write[] {
  const disk = openDisk(folder);
  const textOf = ({ path }: JournalEntry) => readOrRefuse(disk, path)?.text;
  const edited = entries.filter((entry) => hashOrNull(textOf(entry)) !== entry.after);
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

/** The model of each file, from the record before or after the run. */
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

function takeBack(write: Write, model: string | undefined): FileChange {
  const { before, after, mode = '644' } = write;
  const action = before === undefined ? 'create' : after === undefined ? 'delete' : 'update';
  const reason = 'As it was before the last run.';
  return { ...write, mode, action, ...present({ model }), reason, conflicts: [] };
}

function editedSince(entries: readonly JournalEntry[]): UserError {
  const paths = inTicks(entries.map(({ path }) => path)).join(', ');
  return new UserError('SCF511', `Edited since the last run: ${paths}.`, {
    exit: exitCode.decision,
    help: 'Undoing the run would lose those edits. Revert them, or restore single files from version control.',
  });
}

import { type Disk, readOrRefuse, type TextFile } from '../disk.ts';
import { hashText } from '../paths.ts';
import type { FileChange } from '../plan.ts';
import type { RecordedFile } from '../record.ts';
import { kindOf } from '../../render/manifest.ts';
import { makeOutcome, type FileOutcome, type FormerFile } from './outcome.ts';
import { type History, stepReasons } from './schema-step.ts';

/** The outcomes of existing migrations, which change only after a merge of branches, a change of engine or a late `backfill`. */
export function decideHistory(
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
    const found = readOrRefuse(disk, path);
    const { after, reason = '' } = history.rewritten.get(path) ?? {};
    // A `down.sql` that is possible now, or the file that says which migration the owner’s own one follows.
    if (!found && !known.has(path) && after !== undefined) {
      const change = { path, action: 'create', reason, after, mode: ownMode } as const;
      const written = { recorded: recordForeignMigration(path, after) };
      return makeOutcome({ ...change, conflicts: [] }, written);
    }
    const file = known.get(path) ?? recordForeignMigration(path, found?.text ?? '');
    // Deleting a migration is the owner's decision; the record still lists it.
    if (!found) return { path, status: 'kept', recorded: file };
    return storedMigrationOutcome({ path, recorded: file }, found, history);
  });
}

function storedMigrationOutcome(
  { path, recorded }: FormerFile,
  found: TextFile,
  { rewritten, asideFolder }: History,
): FileOutcome {
  const shared = { path, before: found.text, mode: found.mode, conflicts: [] };
  const { after, reason } = rewritten.get(path) ?? { after: found.text, reason: '' };
  if (after === undefined) return makeOutcome({ ...shared, action: 'delete', reason });
  if (after !== found.text) {
    const base = hashText(after);
    const change: FileChange = { ...shared, action: 'update', reason, after };
    return makeOutcome(change, { recorded: { ...recorded, base } });
  }
  if (asideFolder === undefined) return { path, status: 'unchanged', recorded };
  const to = path.replace(/^migrations/, asideFolder);
  const moved = { path: to, from: path, after, reason: stepReasons.aside };
  return makeOutcome(
    { ...shared, ...moved, action: 'move' },
    { recorded: { ...recorded, id: to } },
  );
}

const ownMode = '644';

/** The entry for a migration that another branch brought or the owner wrote. */
function recordForeignMigration(path: string, text: string): RecordedFile {
  const kind = kindOf(path);
  return { id: path, base: hashText(text), mode: ownMode, kind, policy: 'appended' };
}

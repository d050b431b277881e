import { hashText } from '../base.ts';
import type { Disk, TextFile } from '../disk.ts';
import { refuse } from '../disk.ts';
import type { FileOutcome, FormerFile } from './outcome.ts';
import type { History } from '../history.ts';
import type { Change } from '../plan.ts';
import type { RecordedFile } from '../record.ts';
import type { HistoryStep } from './schema-step.ts';

/** What becomes of the migrations that are there: they stay as they are, but for what two branches or two engines ask. */
export function historyOutcomes(
  recorded: readonly FormerFile[],
  { migrations }: History,
  { step, disk }: { readonly step: HistoryStep; readonly disk: Disk },
): readonly FileOutcome[] {
  const known = new Map(recorded.map((it) => [it.path, it.recorded]));
  const present = migrations.flatMap(({ id, texts }) =>
    Object.keys(texts).map((name) => `migrations/${id}/${name}`),
  );
  const paths = [...new Set([...known.keys(), ...present, ...step.filled.keys()])].toSorted();
  return paths.flatMap((path): readonly FileOutcome[] => {
    const found = disk(path);
    const text = step.filled.get(path);
    if (!found && !known.has(path) && text !== undefined) return [addition(path, text)];
    const file = known.get(path) ?? newlyKnown(path, found?.kind === 'text' ? found.text : '');
    // Whoever deletes a migration has decided so; the record still knows that it was there.
    if (!found) return [{ path, standing: 'kept', recorded: file }];
    if (found.kind === 'obstacle') throw refuse(path, found.what);
    return [outcomeOf({ path, recorded: file }, found, step)];
  });
}

/** A way back, now that nothing is refused any more. */
function addition(path: string, after: string): FileOutcome {
  const recorded = newlyKnown(path, after);
  const facts = { path, after, mode: recorded.mode, conflicts: [] };
  const change: Change = { ...facts, action: 'create', reason: reasons.filled };
  return { path, standing: 'changed', change, recorded };
}

function outcomeOf(
  { path, recorded }: FormerFile,
  found: TextFile,
  step: HistoryStep,
): FileOutcome {
  const facts = { before: found.text, mode: found.mode, conflicts: [] };
  const filled = step.filled.get(path);
  const after = filled ?? step.edited.get(path);
  if (step.removed.has(path)) {
    const change: Change = { ...facts, path, action: 'delete', reason: reasons.removed };
    return { path, standing: 'changed', change };
  }
  if (after !== undefined && after !== found.text) {
    const reason = filled === undefined ? reasons.edited : reasons.filled;
    const change: Change = { ...facts, path, action: 'update', reason, after };
    return { path, standing: 'changed', change, recorded: { ...recorded, base: hashText(after) } };
  }
  if (step.aside !== undefined) {
    const to = path.replace(/^migrations/, step.aside);
    const moved = { path: to, from: path, after: found.text };
    const change: Change = { ...facts, ...moved, action: 'move', reason: reasons.aside };
    return { path: to, standing: 'changed', change, recorded: { ...recorded, id: to } };
  }
  return { path, standing: 'unchanged', recorded };
}

const reasons = {
  removed: 'The new migration does what it did, for both branches.',
  edited: 'It follows the migrations of this branch now.',
  filled: 'The schema says now what its rows get.',
  aside: 'It is for the other engine.',
} as const;

/** It came from another branch, or was written by hand. */
function newlyKnown(path: string, text: string): RecordedFile {
  const kind = path.endsWith('.sql') ? 'sql' : path.endsWith('.json') ? 'json' : 'yaml';
  return { id: path, base: hashText(text), mode: '644', kind, policy: 'appended' };
}

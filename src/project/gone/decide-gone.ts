import { dressLike, plain } from '../../merge/dress.ts';
import { markOwnEdits } from '../../merge/own-edits.ts';
import type { TextFile } from '../disk.ts';
import { labelOf } from '../plan/elements.ts';
import { type Fate, type Gone, modelOf, type World } from '../plan/fate.ts';
import type { Change } from '../plan.ts';
import type { RecordedFile } from '../record.ts';
import { someOf } from '../some-of.ts';

/** A file that its owner edited and that is not made any more: what they wrote in it is shown, with its new place. */
export async function decideGone(
  { path, recorded, now, since }: Gone,
  found: TextFile,
  { onConflict, baseOf }: World,
): Promise<Fate> {
  const facts = { path, before: found.text, mode: found.mode, ...modelOf(recorded) };
  const ejected: RecordedFile = { ...recorded, state: 'ejected' };
  const places = now.map((file) => file.path);
  const cause = since === undefined ? 'This version of scaffold' : `scaffold ${since}`;
  const isKept = places.length === 0 || onConflict === 'ours';
  if (isKept) {
    const where =
      places.length === 0 ? 'and nothing took its place' : `which is in ${listed(places)} now`;
    const reason = `${cause} does not make it any more, ${where}. You edited it: it stays, and is yours alone.`;
    const change: Change = { ...facts, after: found.text, action: 'eject', reason, conflicts: [] };
    return { path, standing: 'changed', change, recorded: ejected };
  }
  if (onConflict === 'theirs') {
    const reason = `It is in ${listed(places)} now. You asked for scaffold’s version.`;
    return {
      path,
      standing: 'changed',
      change: { ...facts, action: 'delete', reason, conflicts: [] },
    };
  }
  const mine = plain(found.text);
  const base = baseOf({ path, recorded }) ?? '';
  const marked = await markOwnEdits({
    kind: recorded.kind,
    base,
    mine,
    now: now.flatMap(({ kind, content }) => (kind === 'ts' ? [content] : [])),
    labels: { mine: 'yours', base: 'base', theirs: labelOf([`now in ${someOf(places)}`]) },
  });
  const conflicts = marked.conflicts.map((conflict) => ({ ...conflict, elements: [] }));
  const count = conflicts.length === 1 ? 'one place' : `${conflicts.length} places`;
  const change: Change = {
    ...facts,
    action: 'conflict',
    reason: `It is in ${listed(places)} now. You edited ${count} of it.`,
    after: dressLike(found.text, marked.text),
    now: places,
    conflicts,
  };
  return {
    path,
    standing: 'changed',
    change,
    recorded: { ...recorded, state: 'conflict' },
    open: { path, kind: 'gone', now: places, file: ejected, conflicts },
  };
}

const listed = (paths: readonly string[]) => someOf(paths.map((path) => `\`${path}\``));

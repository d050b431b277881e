import { plain } from '../../merge/dress.ts';
import { hashText } from '../base.ts';
import type { TextFile } from '../disk.ts';
import { decideGone } from '../gone/decide-gone.ts';
import type { Change } from '../plan.ts';
import type { RecordedFile } from '../record.ts';
import { type Fate, type FormerFile, modelOf, type World } from './fate.ts';

/** What the schema has no use for any more. */
export async function decideEnd(former: FormerFile, world: World): Promise<Fate> {
  const { path, recorded } = former;
  const found = world.disk(path);
  if (!found) return { path, standing: 'changed' };
  const facts = { path, mode: recorded.mode, conflicts: [], ...modelOf(recorded) };
  if (found.kind === 'text' && (await isAsMade(former, found, world))) {
    const change: Change = {
      ...facts,
      action: 'delete',
      reason: reasons.delete,
      before: found.text,
    };
    return { path, standing: 'changed', change };
  }
  if (recorded.state === 'ejected') return { path, standing: 'kept', recorded };
  const gone = world.gone.get(path);
  if (gone && found.kind === 'text') return decideGone(gone, found, world);
  const ejected: RecordedFile = { ...recorded, state: 'ejected' };
  const text = found.kind === 'text' ? { before: found.text, after: found.text } : {};
  const change: Change = { ...facts, ...text, action: 'eject', reason: reasons.eject };
  return { path, standing: 'changed', change, recorded: ejected };
}

/** But for its layout, perhaps. */
async function isAsMade(former: FormerFile, found: TextFile, world: World): Promise<boolean> {
  if (hashText(found.text) === former.recorded.base) return true;
  const base = world.baseOf(former);
  const texts = base === undefined ? undefined : { base, mine: plain(found.text) };
  return texts !== undefined && world.isReformatted(former.recorded.kind, texts);
}

const reasons = {
  delete: 'Nothing in the schema asks for it any more.',
  eject: 'Nothing in the schema asks for it any more. You edited it: it stays, and is yours alone.',
} as const;

import { openDisk } from '../../../project/disk.ts';
import type { Literal } from '../../../merge/typescript/literals.ts';
import type { Project } from '../../../project/read-project.ts';
import type { Regeneration } from '../../../project/regeneration.ts';
import type { Texts } from '../../../system/mirror.ts';
import { listSources } from '../../../system/sources.ts';
import { goneWords, findMentions, type Mention } from './mentions.ts';
import { findHandedOn } from './handed-on.ts';

/** In files of the owner's, and in lines of theirs in others, as the plan leaves them. */
export async function mentionsInOwnCode(
  { folder, app }: Project,
  { app: next, plan, rendered }: Regeneration,
  texts: Texts,
): Promise<readonly Mention[]> {
  const gone = goneWords(app, next);
  if (gone.length === 0) return [];
  const silent = new Set(findHandedOn(app, next).map(({ word }) => word));
  const some = new RegExp(gone.map(({ word }) => word).join('|'));
  const disk = openDisk(folder);
  const made = new Map(rendered.map(({ path, content }) => [path, content]));
  const open = new Set(plan.changes.filter((it) => it.conflicts.length > 0).map(pathOf));
  const paths = new Set([...listSources(folder).files, ...texts.keys()]);
  const own = [...paths].toSorted().flatMap((path) => {
    if (open.has(path) || !/(?<!\.d)\.[cm]?[jt]sx?$/.test(path)) return [];
    const found = texts.has(path) ? undefined : disk(path);
    const text = texts.get(path) ?? (found?.kind === 'text' ? found.text : undefined);
    return text === undefined || text === made.get(path) || !some.test(text)
      ? []
      : [{ path, text }];
  });
  if (own.length === 0) return [];
  // The compiler takes a third of a second to load.
  const { literalsOf } = await import('../../../merge/typescript/literals.ts');
  return own.flatMap(({ path, text }) => {
    const lines = text.split('\n');
    const ours = made.get(path) ?? '';
    const ourLines = new Set(ours.split('\n').map((line) => line.trim()));
    const all = literalsOf(path, text);
    const [mine, theirs] = [all, literalsOf(path, ours)].map(countTexts);
    // In another layout, lines are not what was made, but texts are.
    const literals = all.filter(
      (it) => (mine?.get(wordsOf(it)) ?? 0) > (theirs?.get(wordsOf(it)) ?? 0),
    );
    return findMentions({ path, text, literals }, gone)
      .filter((it) => !ourLines.has(lines[it.line - 1]?.trim() ?? ''))
      .map((it) => (silent.has(it.word) ? { ...it, isSilent: true } : it));
  });
}

function countTexts(literals: readonly Literal[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const words of literals.map(wordsOf)) times.set(words, (times.get(words) ?? 0) + 1);
  return times;
}

/** A text may hold code, in a gap. */
function wordsOf({ text }: Literal): string {
  return text.replaceAll(/["'\s]+/g, ' ');
}

const pathOf = ({ path }: { readonly path: string }) => path;

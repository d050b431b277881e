import type { App } from '../../../model/app.ts';
import { mergeText } from '../../../merge/text.ts';
import type { Disk } from '../../../project/disk.ts';
import type { Project } from '../../../project/read-project.ts';
import type { Regeneration } from '../../../project/regeneration.ts';
import type { Texts } from '../../../system/mirror.ts';
import { findHandedOn } from './handed-on.ts';
import { exchangeTexts, type OwnUse } from './own-uses.ts';
import { plannedTexts } from './planned-texts.ts';
import { hasThirdLetters, withoutThirdNames, withThirdNames } from './third-names.ts';

interface Run {
  readonly project: Project;
  readonly regeneration: Regeneration;
  readonly disk: Disk;
}

export interface Exchanged {
  /** Files of the owner's in which each use that a compiler sees has its new name. */
  readonly texts: Texts;
  /** Uses that no compiler sees, or that it takes for anything. */
  readonly left: readonly OwnUse[];
}

/**
 * Where names swap, all code still compiles. So the run is looked at with third names in their place: what the compiler
 * complains of then is a use, and gets the third name; then each third name becomes the one that it stands for.
 */
export async function exchangeByThirdNames(
  { project, regeneration, disk }: Run,
  replan: (change: (after: App, before: App) => App) => Promise<Regeneration>,
  fix: (of: Regeneration, texts: Texts) => Promise<Texts>,
): Promise<Exchanged | undefined> {
  if (findHandedOn(project.app, regeneration.app).length === 0) return undefined;
  const third = await replan((after, before) => withThirdNames(before, after));
  const read = (texts: Texts, path: string): string | undefined => {
    const found = texts.has(path) ? undefined : disk(path);
    return texts.get(path) ?? (found?.kind === 'text' ? found.text : undefined);
  };
  const planned = plannedTexts(third.plan);
  const fixed = await fix(third, planned);
  const seen = { ...third, app: regeneration.app };
  const { texts: exchanged, left } = await exchangeTexts(project, seen, fixed);
  const all: Texts = new Map([...fixed, ...exchanged]);
  const final = plannedTexts(regeneration.plan);
  const texts = [...all].flatMap(([path, after]): (readonly [string, string])[] => {
    const before = read(planned, path);
    if (after === undefined || before === undefined || after === before) return [];
    const place = withoutThirdNames(path);
    const is = read(final, place);
    if (is === undefined || hasThirdLetters(is)) return [];
    const stretches = mergeText({
      base: withoutThirdNames(before),
      mine: is,
      theirs: withoutThirdNames(after),
    });
    const parts = stretches.filter((it) => typeof it === 'string');
    return parts.length === stretches.length ? [[place, parts.join('')]] : [];
  });
  return {
    texts: new Map(texts),
    left: left.map((it) => ({ ...it, path: withoutThirdNames(it.path) })),
  };
}

import { mergeText } from '../../../merge/text.ts';
import type { MemberUse } from '../../../merge/typescript/find-uses.ts';
import type { App } from '../../../model/app.ts';
import { readText } from '../../../project/disk.ts';
import { isAsMade } from '../../../project/plan/decide-files.ts';
import { formerBases } from '../../../project/plan/former-files.ts';
import { respell, wordsOf } from '../../../project/plan/spellings.ts';
import type { Project } from '../../../project/read-project.ts';
import type { Regeneration } from '../../../project/regeneration.ts';
import type { Texts } from '../../../system/mirror.ts';
import { findHandedOn, type HandedOn, withoutThirdNames, withThirdNames } from './handed-on.ts';
import { ownCode, placeAt, plannedTexts, readWith } from './places.ts';

/** A use, in a line of the owner's that the run leaves as it is, of a name that means another thing now. */
export interface OwnUse {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly handedOn: HandedOn;
  readonly use: MemberUse;
}

/** The files in which each such use has the new name, where it is plain which thing is meant. */
export async function exchangeOwnUses(
  project: Project,
  regeneration: Regeneration,
  texts: Texts,
): Promise<Texts> {
  return exchange(await findOwnUses(project, regeneration, texts), isClear);
}

async function exchange(
  found: readonly InFile[],
  isMeant: (use: OwnUse) => boolean,
): Promise<Texts> {
  if (found.length === 0) return new Map();
  const { applyEdits } = await import('../../../merge/typescript/rename-edits.ts');
  return new Map(
    found.flatMap(({ path, text, uses }) => {
      const edits = uses.filter(isMeant).map(({ use, handedOn: { now = '' } }) => use.rename(now));
      return edits.length === 0 ? [] : [[path, applyEdits(text, edits)] as const];
    }),
  );
}

/** It names a member that no other model has by that name. */
const isClear = ({ handedOn: { kind, now, isShared } }: OwnUse) =>
  kind === 'member' && now !== undefined && !isShared;

const isClearText = (it: OwnUse) => it.use.isText && isClear(it);

interface InFile {
  readonly path: string;
  readonly text: string;
  readonly uses: readonly OwnUse[];
}

/** No compiler sees them: every name is still there. */
export async function findOwnUses(
  project: Project,
  regeneration: Regeneration,
  texts: Texts,
  isWhole = false,
): Promise<readonly InFile[]> {
  const handedOn = findHandedOn(project.app, regeneration.app);
  if (handedOn.length === 0) return [];
  const baseOf = formerBases(project);
  const cameFrom = new Map(regeneration.plan.changes.map(({ path, from }) => [path, from]));
  // The compiler takes a third of a second to load.
  const { findMemberUses } = await import('../../../merge/typescript/find-uses.ts');
  const found = ownCode(project, regeneration, texts).map(
    async ({ path, text, made }): Promise<readonly InFile[]> => {
      const origin = cameFrom.get(path) ?? path;
      const former = readText(project.disk, origin);
      if (former === undefined) return [];
      const recorded = project.record.files[origin];
      const file = recorded && { path: origin, recorded };
      // Lines that only another formatter broke are nobody's.
      if (file && (await isAsMade(file, { text: former }, { disk: project.disk, baseOf })))
        return [];
      const base = file && baseOf(file);
      const isOwn = ownLine(isWhole ? text : former, [base ?? '', made]);
      const lines = text.split('\n');
      const near = handedOn.filter((it) => isNear(it, text));
      const byWord = new Map(near.map((it) => [it.word, it]));
      const partOf = (compound: string) => near.find((it) => isIn(it, compound));
      const members = findMemberUses(
        { path, text },
        (word) => byWord.has(word),
        (word) => partOf(word) !== undefined,
      );
      const uses = members.flatMap((use): readonly OwnUse[] => {
        const at = placeAt(text, use.start);
        const meant = byWord.get(use.word) ?? partOf(use.word);
        if (meant === undefined || !isOwn(lines[at.line - 1] ?? '')) return [];
        if (meant.kind === 'value' && !use.isText) return [];
        return [{ path, ...at, handedOn: meant, use }];
      });
      return uses.length === 0 ? [] : [{ path, text, uses }];
    },
  );
  return (await Promise.all(found)).flat();
}

/** As the owner wrote it: in their file before, and in nothing that was made. */
function ownLine(former: string, made: readonly string[]) {
  const known = new Set(made.flatMap(linesOf));
  const theirs = new Set(linesOf(former));
  return (line: string) => theirs.has(line.trim()) && !known.has(line.trim());
}

const linesOf = (text: string) => text.split('\n').map((line) => line.trim());

/** Where other models have such a name too, the file has to speak of the one that is meant. */
function isNear({ isShared, owner }: HandedOn, text: string): boolean {
  if (!isShared || owner === undefined) return true;
  return wordsOf(text).some((word) => owner.has(word));
}

function isIn({ kind, word }: HandedOn, compound: string): boolean {
  return kind === 'model' && respell(compound, new Map([[word, `${word}?`]])) !== compound;
}

/**
 * Where names swap, all code still compiles. So the run is looked at with third names in their place: what the compiler
 * complains of then is a use, and gets the third name; then each third name becomes the one that it stands for. Texts that
 * plainly name a member are exchanged as well; `left`: uses that no compiler sees, or that it takes for anything.
 */
export async function exchangeByThirdNames(
  project: Project,
  regeneration: Regeneration,
  replan: (change: (after: App, before: App) => App) => Promise<Regeneration>,
  fix: (of: Regeneration, texts: Texts) => Promise<Texts>,
): Promise<{ readonly texts: Texts; readonly left: readonly OwnUse[] } | undefined> {
  if (findHandedOn(project.app, regeneration.app).length === 0) return undefined;
  const renamed = await replan((after, before) => withThirdNames(before, after));
  const planned = plannedTexts(renamed.plan);
  const fixed = await fix(renamed, planned);
  const found = await findOwnUses(project, { ...renamed, app: regeneration.app }, fixed, true);
  const all: Texts = new Map([...fixed, ...(await exchange(found, isClearText))]);
  const was = readWith(project.disk, planned);
  const final = readWith(project.disk, plannedTexts(regeneration.plan));
  const texts = [...all].flatMap(([path, after]): (readonly [string, string])[] => {
    const before = was(path);
    if (after === undefined || before === undefined || after === before) return [];
    const place = withoutThirdNames(path);
    const is = final(place);
    if (is === undefined || withoutThirdNames(is) !== is) return [];
    const stretches = mergeText({
      base: withoutThirdNames(before),
      mine: is,
      theirs: withoutThirdNames(after),
    });
    const parts = stretches.filter((it) => typeof it === 'string');
    return parts.length === stretches.length ? [[place, parts.join('')]] : [];
  });
  const left = found.flatMap(({ uses }) => uses.filter((it) => !isClearText(it)));
  return {
    texts: new Map(texts),
    left: left.map((it) => ({ ...it, path: withoutThirdNames(it.path) })),
  };
}

import { readText } from '../../../project/disk.ts';
import { isAsMade } from '../../../project/plan/decide-files.ts';
import { formerBases } from '../../../project/plan/former-files.ts';
import { respell, wordsOf } from '../../../project/plan/spellings.ts';
import type { Project } from '../../../project/read-project.ts';
import type { Regeneration } from '../../../project/regeneration.ts';
import type { Texts } from '../../../system/mirror.ts';
import { findHandedOn, type HandedOn } from './handed-on.ts';
import { ownCode, placeAt } from './places.ts';

/** A use, in a line of the owner's that the run leaves as it is, of a name that means another thing now. */
export interface OwnUse {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly handedOn: HandedOn;
}

/** No compiler sees them: every name is still there. */
export async function findOwnUses(
  project: Project,
  regeneration: Regeneration,
  texts: Texts,
): Promise<readonly OwnUse[]> {
  const handedOn = findHandedOn(project.app, regeneration.app);
  if (handedOn.length === 0) return [];
  const baseOf = formerBases(project);
  const cameFrom = new Map(regeneration.plan.changes.map(({ path, from }) => [path, from]));
  // The compiler takes a third of a second to load.
  const { findMemberUses } = await import('../../../merge/typescript/find-uses.ts');
  const found = ownCode(project, regeneration, texts).map(
    async ({ path, text, made }): Promise<readonly OwnUse[]> => {
      const origin = cameFrom.get(path) ?? path;
      const former = readText(project.disk, origin);
      if (former === undefined) return [];
      const recorded = project.record.files[origin];
      const file = recorded && { path: origin, recorded };
      // Lines that only another formatter broke are nobody's.
      if (file && (await isAsMade(file, { text: former }, { disk: project.disk, baseOf })))
        return [];
      const base = file && baseOf(file);
      const isOwn = ownLine(former, [base ?? '', made]);
      const lines = text.split('\n');
      const near = handedOn.filter((it) => isNear(it, text));
      const byWord = new Map(near.map((it) => [it.word, it]));
      const partOf = (compound: string) => near.find((it) => isIn(it, compound));
      const members = findMemberUses(
        { path, text },
        (word) => byWord.has(word),
        (word) => partOf(word) !== undefined,
      );
      return members.flatMap((use): readonly OwnUse[] => {
        const at = placeAt(text, use.start);
        const meant = byWord.get(use.word) ?? partOf(use.word);
        if (meant === undefined || !isOwn(lines[at.line - 1] ?? '')) return [];
        if (meant.kind === 'value' && !use.isText) return [];
        return [{ path, ...at, handedOn: meant }];
      });
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

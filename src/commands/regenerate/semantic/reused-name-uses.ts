import { listWords } from '../../../words.ts';
import { readText } from '../../../project/disk.ts';
import { readMoves } from '../../../project/plan.ts';
import { isUnedited } from '../../../project/plan/decide-files.ts';
import { respell } from '../../../project/plan/respell.ts';
import type { Project } from '../../../project/read-project.ts';
import type { Regeneration } from '../../../project/regeneration.ts';
import { listReusedNames, type ReusedName } from './reused-names.ts';
import type { OwnText } from './owner-code.ts';
import type { CodePlace } from './places.ts';

/** A line of the owner's with a name that has another meaning now. */
export interface ReusedNameUse extends CodePlace {
  readonly reused: ReusedName;
}

/** Matches words, since no compiler sees them. A false hit costs less than a missed one. */
export async function listReusedNameUses(
  project: Project,
  regeneration: Regeneration,
  files: readonly OwnText[],
): Promise<readonly ReusedNameUse[]> {
  const reusedNames = listReusedNames(project.app, regeneration.app);
  if (reusedNames.length === 0) return [];
  const { baseOf } = regeneration;
  const { cameFrom } = readMoves(regeneration.plan);
  const found = files.map(async ({ path, text, rendered }): Promise<readonly ReusedNameUse[]> => {
    const origin = cameFrom.get(path) ?? path;
    const former = readText(project.disk, origin);
    if (former === undefined) return [];
    const recorded = project.record.files[origin];
    const file = recorded && { path: origin, recorded };
    // A different layout does not make a line the owner's.
    if (file && (await isUnedited(file, { text: former }, { disk: project.disk, baseOf })))
      return [];
    const known = new Set([(file && baseOf(file)) ?? '', rendered].flatMap(trimLines));
    const own = new Set(trimLines(former).filter((line) => !known.has(line)));
    const near = reusedNames.filter((it) => isNear(it, text));
    return text.split('\n').flatMap((line, at) => {
      if (!own.has(line.trim())) return [];
      return near.flatMap((it) => {
        const column = columnIn(it, line);
        return column === 0 ? [] : [{ path, line: at + 1, column, reused: it }];
      });
    });
  });
  return (await Promise.all(found)).flat();
}

const trimLines = (text: string) => text.split('\n').map((line) => line.trim());

/** If other models have such a name too, the file has to mention the right model. */
function isNear({ owner }: ReusedName, text: string): boolean {
  return owner === undefined || listWords(text).some((word) => owner.has(word));
}

/** From 1; 0 if the line does not have it. Names of models also occur inside other names: `findLot`. */
function columnIn({ kind, word }: ReusedName, line: string): number {
  const parts = new Map([[word, `${word}?`]]);
  const found = [...line.matchAll(/[\p{L}\p{N}_$]+/gu)].find(({ 0: it, index }) => {
    if (kind === 'model') return respell(it, parts) !== it;
    return it === word && (kind === 'member' || /['"`]/.test(line.charAt(index - 1)));
  });
  return found === undefined ? 0 : found.index + 1;
}

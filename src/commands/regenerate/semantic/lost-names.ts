import type { Plan } from '../../../project/plan.ts';
import { typescript } from '../../../merge/typescript/parse.ts';
import type { TypeProblem } from '../../../system/own-tools.ts';

/**
 * Names that a merged file uses and no longer declares, because what it imported has another name now. What a compiler
 * says of them, for where there is none to ask.
 */
export function findLostNames({ changes }: Plan): readonly TypeProblem[] {
  return changes.flatMap(({ path, before, after, conflicts }): readonly TypeProblem[] => {
    if (before === undefined || after === undefined || before === after) return [];
    if (conflicts.length > 0 || !/(?<!\.d)\.ts$/.test(path)) return [];
    const [was, is] = [typescript.readNames(before), typescript.readNames(after)];
    if (!was || !is) return [];
    const lost = [...is.used].filter((name) => !is.bound.has(name) && was.bound.has(name));
    return lost.flatMap((name) =>
      placesOf(name, after).map((place) => ({
        path,
        ...place,
        code: 'TS2304',
        message: `Cannot find name '${name}'.`,
      })),
    );
  });
}

/** Where a word stands outside of texts and comments, as far as a line tells. */
function placesOf(name: string, text: string) {
  const form = new RegExp(`(?<![\\w$.'"\`])${name.replaceAll('$', '\\$')}(?![\\w$'"\`])`, 'g');
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*(?:\/\/|\/?\*)/.test(line)) return [];
    return [...line.matchAll(form)].map((found) => ({ line: index + 1, column: found.index + 1 }));
  });
}

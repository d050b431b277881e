import type { Plan } from '../../../project/plan.ts';
import type { Texts } from '../../../system/mirror.ts';

/** What the plan leaves of each file that it touches; undefined: no file. */
export function plannedTexts({ changes }: Plan): Texts {
  const left = changes.flatMap(({ from }) => (from === undefined ? [] : [from]));
  const written = changes.filter(
    ({ before, after }) => before !== undefined || after !== undefined,
  );
  return new Map([
    ...left.map((path) => [path, undefined] as const),
    ...written.map(({ path, after }) => [path, after] as const),
  ]);
}

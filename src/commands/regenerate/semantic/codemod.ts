import type { Texts } from '../../../system/mirror.ts';
import type { TypeCheck, TypeProblem } from '../../../system/type-check.ts';
import { isSyntax } from './new-problem-finder.ts';
import { chooseAttempts, helpfulOf, withAttempts, type Owned, type State } from './attempts.ts';

export interface Workplace extends Owned {
  /** New problems of the project with these texts. */
  readonly find: TypeCheck;
}

/**
 * Writes new names for old ones where the compiler complains, as long as that helps: one problem hides the next. What
 * is written stays when the problem that asked for it is gone, and what a file has got, when there are more without it.
 */
export async function fixUses(texts: Texts, place: Workplace): Promise<Texts> {
  const first = { texts, problems: await place.find(texts) };
  const last = await fixInRounds(first, place);
  const better = await withoutIdle(first, last, place);
  return better.problems.length < first.problems.length ? better.texts : texts;
}

/** Each takes one run of the compiler, or two. */
const mostRounds = 16;

async function fixInRounds(start: State, place: Workplace): Promise<State> {
  const tried = new Map<string, number>();
  let state = start;
  for (let round = 0; round < mostRounds; round += 1) {
    const attempts = chooseAttempts(state, place, tried);
    if (attempts.length === 0) break;
    const next = await look(withAttempts(state.texts, attempts, place), place);
    const helpful = next.problems.some(isSyntax)
      ? []
      : helpfulOf(attempts, { from: state, to: next, ...place });
    if (helpful.length === attempts.length) state = next;
    else if (helpful.length > 0) {
      state = await look(withAttempts(state.texts, helpful, place), place);
    }
  }
  return state;
}

async function look(texts: Texts, { find }: Workplace): Promise<State> {
  return { texts, problems: await find(texts) };
}

/** Takes back what was written into a file without which there are no more problems in it. */
async function withoutIdle(first: State, last: State, place: Workplace): Promise<State> {
  const changed = [...last.texts.keys()].filter(
    (path) => last.texts.get(path) !== first.texts.get(path),
  );
  const doubtful = changed.filter(
    (path) => countIn(path, last.problems) >= countIn(path, first.problems),
  );
  if (doubtful.length === 0) return last;
  // A problem may have come with what was fixed elsewhere.
  const without = await look(takeBack(doubtful, first, last), place);
  const vain = doubtful.filter(
    (path) => countIn(path, last.problems) >= countIn(path, without.problems),
  );
  if (vain.length === 0) return last;
  return vain.length === doubtful.length ? without : look(takeBack(vain, first, last), place);
}

function takeBack(paths: readonly string[], first: State, last: State): Texts {
  const kept = [...last.texts].flatMap(([path, text]) => {
    if (!paths.includes(path)) return [[path, text] as const];
    return first.texts.has(path) ? [[path, first.texts.get(path)] as const] : [];
  });
  return new Map(kept);
}

function countIn(path: string, problems: readonly TypeProblem[]): number {
  return problems.filter((it) => it.path === path).length;
}

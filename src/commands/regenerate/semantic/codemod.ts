import { groupBy } from '../../../group-by.ts';
import { listFixes, type NewNames, unknownNames } from '../../../merge/typescript/list-fixes.ts';
import { applyEdits, type Edit } from '../../../merge/typescript/rename-edits.ts';
import type { Texts } from '../../../project/disk.ts';
import type { TypeCheck, TypeProblem } from '../../../system/project-compiler.ts';
import { isSyntax } from './new-problem-finder.ts';
import { offsetAt } from './places.ts';

interface Workplace {
  /** Type problems that the project would have with these texts. */
  readonly listProblems: TypeCheck;
  /** The text of an owner's file; undefined if there is none or it is not theirs. */
  readonly readOwn: (path: string, texts: Texts) => string | undefined;
  readonly namesFor: (path: string, texts: Texts) => NewNames;
}

/** Tries new names where the compiler reports problems, in rounds. An edit stays if its problem disappears. */
export async function fixUses(texts: Texts, workplace: Workplace): Promise<Texts> {
  const tried = new Map<string, number>();
  const first = { texts, problems: await workplace.listProblems(texts) };
  let state: CodemodState = first;
  for (let round = 0; round < mostRounds; round += 1) {
    const attempts = chooseAttempts(state, workplace, tried);
    if (attempts.length === 0) break;
    const next = await tryOut(attempts, state, workplace);
    const isBroken = next.problems.some(isSyntax);
    const helpful = isBroken ? [] : keepHelpful(attempts, state, next, workplace);
    if (helpful.length === attempts.length) state = next;
    else if (helpful.length > 0) state = await tryOut(helpful, state, workplace);
  }
  return state.problems.length < first.problems.length ? state.texts : texts;
}

/** Each round runs the compiler once or twice. */
const mostRounds = 16;

interface Attempt {
  readonly problem: TypeProblem;
  readonly edits: readonly Edit[];
}

interface CodemodState {
  readonly texts: Texts;
  readonly problems: readonly TypeProblem[];
}

/** The next attempt for each problem, in places that do not touch. `tried`: how many were made before. */
function chooseAttempts(
  { texts, problems }: CodemodState,
  { readOwn, namesFor }: Workplace,
  tried: Map<string, number>,
): readonly Attempt[] {
  const chosen: Attempt[] = [];
  for (const problem of problems) {
    const { path, line, column, code } = problem;
    const text = readOwn(path, texts);
    if (text === undefined) continue;
    const complaint = { ...problem, offset: offsetAt(text, problem) };
    const key = `${path}:${line}:${column} ${code}`;
    const count = tried.get(key) ?? 0;
    const edits = listFixes({ path, text }, complaint, namesFor(path, texts))[count];
    const others = chosen.filter((it) => it.problem.path === path);
    if (edits === undefined || others.some((it) => touch(it.edits, edits))) continue;
    tried.set(key, count + 1);
    chosen.push({ problem, edits });
  }
  return chosen;
}

function touch(left: readonly Edit[], right: readonly Edit[]): boolean {
  return left.some((one) => right.some((other) => one.start < other.end && other.start < one.end));
}

async function tryOut(
  attempts: readonly Attempt[],
  state: CodemodState,
  { listProblems, readOwn }: Workplace,
): Promise<CodemodState> {
  const changed = [...editsByPath(attempts)].map(
    ([path, edits]) => [path, applyEdits(readOwn(path, state.texts) ?? '', edits)] as const,
  );
  const texts = new Map([...state.texts, ...changed]);
  return { texts, problems: await listProblems(texts) };
}

/** Attempts whose problem is gone and was not replaced by an unknown name. */
function keepHelpful(
  attempts: readonly Attempt[],
  from: CodemodState,
  to: CodemodState,
  { readOwn }: Workplace,
): readonly Attempt[] {
  const edits = editsByPath(attempts);
  const left = new Set(
    to.problems.map(({ path, code, ...place }) => {
      const offset = offsetAt(readOwn(path, to.texts) ?? '', place);
      return `${path}:${offset} ${unknownNames.has(code) ? 'unknown' : code}`;
    }),
  );
  return attempts.filter(({ problem: { path, code, ...place } }) => {
    const offset = offsetAt(readOwn(path, from.texts) ?? '', place);
    const now = `${path}:${shifted(offset, edits.get(path) ?? [])}`;
    return !left.has(`${now} ${code}`) && !left.has(`${now} unknown`);
  });
}

function shifted(offset: number, edits: readonly Edit[]): number {
  return edits
    .filter(({ start }) => start < offset)
    .reduce((moved, { start, end, text }) => moved + text.length - (end - start), offset);
}

function editsByPath(attempts: readonly Attempt[]): ReadonlyMap<string, readonly Edit[]> {
  const byPath = groupBy(attempts, ({ problem }) => problem.path);
  return new Map([...byPath].map(([path, all]) => [path, all.flatMap(({ edits }) => edits)]));
}

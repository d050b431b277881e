import { importFixes, type NewNames } from '../../../merge/typescript/fix-imports.ts';
import { applyEdits, type Edit } from '../../../merge/typescript/rename-edits.ts';
import type { Texts } from '../../../system/mirror.ts';
import type { TypeProblem } from '../../../system/type-check.ts';
import { offsetOf } from './offset-of.ts';

/** A way to fix one problem. */
export interface Attempt {
  readonly problem: TypeProblem;
  readonly edits: readonly Edit[];
}

export interface State {
  readonly texts: Texts;
  readonly problems: readonly TypeProblem[];
}

export interface Owned {
  /** The text of a file of the owner's; undefined when there is none, or it is not theirs. */
  readonly readOwn: (path: string, texts: Texts) => string | undefined;
  readonly namesFor: (path: string, texts: Texts) => NewNames;
}

/** The next way for each problem, in places that do not touch; `tried` counts those that were chosen before. */
export function chooseAttempts(
  { texts, problems }: State,
  { readOwn, namesFor }: Owned,
  tried: Map<string, number>,
): readonly Attempt[] {
  const chosen: Attempt[] = [];
  for (const problem of problems) {
    const { path, line, column, code } = problem;
    const text = readOwn(path, texts);
    if (text === undefined) continue;
    const complaint = { ...problem, offset: offsetOf(text, problem) };
    const key = `${path}:${line}:${column} ${code}`;
    const count = tried.get(key) ?? 0;
    const edits = importFixes({ path, text }, complaint, namesFor(path, texts))[count];
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

export function withAttempts(
  texts: Texts,
  attempts: readonly Attempt[],
  { readOwn }: Owned,
): Texts {
  const changed = [...editsByPath(attempts)].map(
    ([path, edits]) => [path, applyEdits(readOwn(path, texts) ?? '', edits)] as const,
  );
  return new Map([...texts, ...changed]);
}

/** Those whose problem is gone from its place, and not for a name that nothing has. */
export function helpfulOf(
  attempts: readonly Attempt[],
  { from, to, readOwn }: { readonly from: State; readonly to: State } & Owned,
): readonly Attempt[] {
  const edits = editsByPath(attempts);
  const left = new Set(
    to.problems.map(({ path, code, ...place }) => {
      const offset = offsetOf(readOwn(path, to.texts) ?? '', place);
      return `${path}:${offset} ${unknownNames.has(code) ? 'unknown' : code}`;
    }),
  );
  return attempts.filter(({ problem: { path, code, ...place } }) => {
    const offset = offsetOf(readOwn(path, from.texts) ?? '', place);
    const now = `${path}:${shifted(offset, edits.get(path) ?? [])}`;
    return !left.has(`${now} ${code}`) && !left.has(`${now} unknown`);
  });
}

const unknownNames = new Set(['TS2304', 'TS2552', 'TS18004']);

function shifted(offset: number, edits: readonly Edit[]): number {
  return edits
    .filter(({ start }) => start < offset)
    .reduce((place, { start, end, text }) => place + text.length - (end - start), offset);
}

function editsByPath(attempts: readonly Attempt[]): ReadonlyMap<string, readonly Edit[]> {
  const paths = new Set(attempts.map(({ problem }) => problem.path));
  return new Map(
    [...paths].map((path) => [
      path,
      attempts.filter((it) => it.problem.path === path).flatMap((it) => it.edits),
    ]),
  );
}

import { automatonOf, type Automaton } from './pattern-automaton.ts';
import { cyclesOf } from './pattern-cycles.ts';
import type { Trial } from './pattern.ts';

/** How the time for the worst text grows with its length `n`, and the loops that make it grow. */
export interface Slowness {
  /** `n` to this power; infinite where each character more doubles it. */
  readonly degree: number;
  readonly loops: readonly string[];
}

const mostStates = 600;
const mostSteps = 100_000;
const tooLarge: Slowness = { degree: Infinity, loops: [] };

/**
 * A backtracking engine is slow where one text can be matched in many ways: exponentially where a loop reads a text in
 * two ways and stands where it began, polynomially where two loops in a row can share a text (Weber and Seidl, "On the
 * degree of ambiguity of finite automata", 1991). What is too large to be judged counts as exponential.
 */
export function slownessOf(trial: Trial): Slowness {
  const automaton = automatonOf(trial.expression, mostStates);
  if (automaton === undefined) return tooLarge;
  const walk = walkerOf(trial.restarts ? withRestarts(automaton, trial) : automaton);
  const cycles = cyclesOf(walk.next);
  const doubling = cycles.find((cycle) => isAmbiguous(cycle, walk));
  const degrees = doubling === undefined ? degreesOf(cycles, { walk, trial, automaton }) : [];
  if (walk.isExhausted()) return tooLarge;
  if (doubling !== undefined) return { degree: Infinity, loops: loopsOf([doubling], automaton) };
  return degrees.reduce((worst, degree) => (degree.degree > worst.degree ? degree : worst), {
    degree: 1,
    loops: [],
  });
}

/** A state before all others, that reads anything again and again: where the search has got to. */
function withRestarts(automaton: Automaton, { everything }: Trial): Automaton {
  const start = automaton.characters.length;
  return {
    ...automaton,
    characters: [...automaton.characters, everything],
    next: [...automaton.next, new Map([[start, 1], ...automaton.first])],
  };
}

type Walker = ReturnType<typeof walkerOf>;

/** Steps of several readers that read the same text, within a budget. */
function walkerOf({ characters, next }: Automaton) {
  let left = mostSteps;
  const read = (state: number) => characters[state] ?? 0n;

  /** Where readers in these states can stand after one more character that all of them take. */
  function* stepsOf(states: readonly number[], common = -1n): Generator<number[]> {
    const [state, ...rest] = states;
    if (state === undefined) return yield [];
    for (const target of next[state]?.keys() ?? []) {
      left--;
      const shared = common & read(target);
      if (shared === 0n || left < 0) continue;
      for (const others of stepsOf(rest, shared)) yield [target, ...others];
    }
  }

  /** Everything that can be reached from `starts` through what `allows` lets pass. */
  function reach(
    starts: readonly (readonly number[])[],
    allows: (states: readonly number[]) => boolean,
  ) {
    const reached = new Map(starts.map((states) => [states.join(), states]));
    const edges: (readonly [string, string])[] = [];
    for (const [from, states] of reached) {
      for (const target of stepsOf(states)) {
        if (!allows(target)) continue;
        edges.push([from, target.join()]);
        if (!reached.has(target.join())) reached.set(target.join(), target);
      }
    }
    return { reached, edges };
  }

  return { next, reach, isExhausted: () => left < 0 };
}

/** Two readers of the loop start together, part, and meet again. */
function isAmbiguous(cycle: ReadonlySet<number>, { next, reach }: Walker): boolean {
  for (const state of cycle) {
    for (const [target, ways] of next[state] ?? []) if (ways > 1 && cycle.has(target)) return true;
  }
  const together = [...cycle].map((state) => [state, state]);
  const { reached, edges } = reach(together, (states) => states.every((state) => cycle.has(state)));
  const backwards = new Map<string, string[]>();
  for (const [from, target] of edges)
    backwards.set(target, [...(backwards.get(target) ?? []), from]);
  const meeting = new Set(together.map((states) => states.join()));
  for (const pair of meeting) for (const before of backwards.get(pair) ?? []) meeting.add(before);
  return [...meeting].some((pair) => !isTogether(reached.get(pair)));
}

function isTogether([one, other]: readonly number[] = []): boolean {
  return one === other;
}

interface Setting {
  readonly walk: Walker;
  readonly trial: Trial;
  readonly automaton: Automaton;
}

/** For each cycle, how many loops in a row can share a text up to it. */
function degreesOf(cycles: readonly ReadonlySet<number>[], setting: Setting): Slowness[] {
  const { automaton, trial, walk } = setting;
  const known = new Map<ReadonlySet<number>, readonly ReadonlySet<number>[]>();
  const start = automaton.characters.length;

  /** The longest row of sharing loops that ends here. */
  function rowTo(cycle: ReadonlySet<number>): readonly ReadonlySet<number>[] {
    const seen = known.get(cycle);
    if (seen !== undefined) return seen;
    known.set(cycle, [cycle]);
    const before = cycles
      .filter(
        (other) => other !== cycle && !(other.has(start) && trial.open && isEnd(cycle, automaton)),
      )
      .filter((other) => share(other, cycle, walk))
      .map(rowTo);
    const longest = before.reduce((best, row) => (row.length > best.length ? row : best), []);
    known.set(cycle, [...longest, cycle]);
    return [...longest, cycle];
  }

  return cycles.map((cycle) => {
    const row = rowTo(cycle);
    return { degree: row.length, loops: loopsOf(row, automaton) };
  });
}

/** Where an open trial is through, it no longer fails, and only failures are slow. */
function isEnd(cycle: ReadonlySet<number>, { last }: Automaton): boolean {
  return [...cycle].some((state) => last.has(state));
}

/** Some text leads round the first loop, from the first to the second, and round the second. */
function share(
  first: ReadonlySet<number>,
  second: ReadonlySet<number>,
  { reach }: Walker,
): boolean {
  const allows = ([one = -1, , other = -1]: readonly number[]) =>
    first.has(one) && second.has(other);
  return [...first].some((from) =>
    [...second].some((to) => reach([[from, from, to]], allows).reached.has([from, to, to].join())),
  );
}

function loopsOf(cycles: readonly ReadonlySet<number>[], { loops }: Automaton): string[] {
  return cycles.flatMap(
    (cycle) => [...cycle].map((state) => loops[state]).find((loop) => loop !== undefined) ?? [],
  );
}

import type { Trial } from './pattern.ts';
import { buildAutomaton, type Automaton } from './automaton.ts';

/** The cost of the worst text, and the loops that cause it. */
export interface Slowness {
  /** Infinite if each further character doubles them. */
  readonly steps: number;
  readonly loops: readonly string[];
}

const mostStates = 600;

const mostReads = 100_000;

const tooLarge: Slowness = { steps: Infinity, loops: [] };

/**
 * A backtracking engine is slow if a text can match in many ways: exponentially if a loop can read a text in two ways
 * and end where it began, polynomially if consecutive loops can read the same text (Weber and Seidl, "On the degree of
 * ambiguity of finite automata", 1991). An automaton that is too large counts as exponential.
 */
export function measureSlowness(trial: Trial, length: number): Slowness {
  const automaton = buildAutomaton(trial.expression, mostStates);
  if (automaton === undefined) return tooLarge;
  const walk = makeWalker(trial.restarts ? withRestarts(automaton, trial) : automaton);
  const cycles = listCycles(walk.next);
  const doubling = cycles.find((cycle) => isAmbiguous(cycle, walk));
  const rows =
    doubling === undefined ? listSlowRows(cycles, automaton, walk, { trial, length }) : [];
  if (walk.isExhausted()) return tooLarge;
  if (doubling !== undefined) return { steps: Infinity, loops: listLoops([doubling], automaton) };
  return rows.reduce((worst, row) => (row.steps > worst.steps ? row : worst), {
    steps: 1,
    loops: [],
  });
}

/** Adds a state that reads any text before a match, as a search does. */
function withRestarts(automaton: Automaton, { everything }: Trial): Automaton {
  const start = automaton.characters.length;
  return {
    ...automaton,
    characters: [...automaton.characters, everything],
    next: [...automaton.next, new Map([[start, 1], ...automaton.first])],
  };
}

type Walker = ReturnType<typeof makeWalker>;

/** Steps of several readers of the same text, within a budget. */
function makeWalker({ characters, next }: Automaton) {
  let left = mostReads;
  const read = (state: number) => characters[state] ?? 0n;

  /** The next states of all readers after a character that all of them accept. */
  function* walkFrom(states: readonly number[], common = -1n): Generator<number[]> {
    const [state, ...rest] = states;
    if (state === undefined) return yield [];
    for (const target of next[state]?.keys() ?? []) {
      left--;
      const shared = common & read(target);
      if (shared === 0n || left < 0) continue;
      for (const others of walkFrom(rest, shared)) yield [target, ...others];
    }
  }

  /** Everything that can be reached from `starts` through states that `allows` accepts. */
  function reach(
    starts: readonly (readonly number[])[],
    allows: (states: readonly number[]) => boolean,
  ) {
    const reached = new Map(starts.map((states) => [states.join(), states]));
    const edges: (readonly [string, string])[] = [];
    for (const [from, states] of reached) {
      for (const target of walkFrom(states)) {
        if (!allows(target)) continue;
        edges.push([from, target.join()]);
        if (!reached.has(target.join())) reached.set(target.join(), target);
      }
    }
    return { reached, edges };
  }

  return { next, reach, isExhausted: () => left < 0 };
}

/** Whether two readers of a loop can start together, part and meet again. */
function isAmbiguous(cycle: Cycle, { next, reach }: Walker): boolean {
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

const isTogether = ([one, other]: readonly number[] = []) => one === other;

type Cycle = ReadonlySet<number>;

/** Sequences of loops that can read the same text, each starting where the one before may end. */
function listSlowRows(
  cycles: readonly Cycle[],
  automaton: Automaton,
  walk: Walker,
  { trial, length }: { readonly trial: Trial; readonly length: number },
): Slowness[] {
  const known = new Map<Cycle, readonly Cycle[]>();
  const start = automaton.characters.length;

  const multiplySteps = (row: readonly Cycle[]) =>
    row.reduce((steps, cycle) => steps * Math.min(length, countRounds(cycle, automaton)), 1);

  /** The most expensive sequence that ends with a loop. */
  function rowTo(cycle: Cycle): readonly Cycle[] {
    const seen = known.get(cycle);
    if (seen !== undefined) return seen;
    known.set(cycle, [cycle]);
    const before = cycles
      .filter(
        (other) => other !== cycle && !(other.has(start) && trial.open && isEnd(cycle, automaton)),
      )
      .filter((other) => share(other, cycle, walk))
      .map(rowTo);
    const costliest = before.reduce(
      (best, row) => (multiplySteps(row) > multiplySteps(best) ? row : best),
      [],
    );
    const row = [...costliest, cycle];
    known.set(cycle, row);
    return row;
  }

  return cycles.map((cycle) => {
    const row = rowTo(cycle);
    return { steps: multiplySteps(row), loops: listLoops(row, automaton) };
  });
}

/** The maximum number of rounds of a loop. The search for a start has no limit. */
function countRounds(cycle: Cycle, { loops }: Automaton): number {
  return Math.max(...[...cycle].map((state) => loops[state]?.most ?? Infinity));
}

/** A finished open trial cannot fail any more, and only failures are slow. */
const isEnd = (cycle: Cycle, { last }: Automaton) => [...cycle].some((state) => last.has(state));

/** Whether one text can run through the first loop, lead to the second one and run through that. */
function share(first: Cycle, second: Cycle, { reach }: Walker): boolean {
  const allows = ([one = -1, , other = -1]: readonly number[]) =>
    first.has(one) && second.has(other);
  return [...first].some((from) =>
    [...second].some((to) => reach([[from, from, to]], allows).reached.has([from, to, to].join())),
  );
}

function listLoops(cycles: readonly Cycle[], { loops }: Automaton): string[] {
  return cycles.flatMap((cycle) => {
    const loop = [...cycle].map((state) => loops[state]).find((found) => found !== undefined);
    return loop === undefined ? [] : [loop.written];
  });
}

/** Sets of states that lead back to themselves: Tarjan's strongly connected components with an edge. */
function listCycles(next: Automaton['next']): ReadonlySet<number>[] {
  const cycles: ReadonlySet<number>[] = [];
  const order = new Map<number, number>();
  const lowest = new Map<number, number>();
  const stack: number[] = [];
  const open = new Set<number>();

  function visit(state: number): void {
    const index = order.size;
    order.set(state, index);
    lowest.set(state, index);
    stack.push(state);
    open.add(state);
    for (const target of next[state]?.keys() ?? []) {
      if (!order.has(target)) visit(target);
      if (open.has(target))
        lowest.set(state, Math.min(lowest.get(state) ?? 0, lowest.get(target) ?? 0));
    }
    if (lowest.get(state) === index) close(state);
  }

  function close(root: number): void {
    const component = stack.splice(stack.indexOf(root));
    for (const state of component) open.delete(state);
    if (component.length > 1 || next[root]?.has(root) === true) cycles.push(new Set(component));
  }

  for (const state of next.keys()) if (!order.has(state)) visit(state);
  return cycles;
}

import type { Characters, Expression, Loop } from './pattern.ts';

/**
 * Glushkov's automaton: state `i` has just read `characters[i]`, and `next[i]` are the states that may follow, each
 * with the number of ways to get there, 1 or 2. More than two make no difference.
 */
export interface Automaton {
  readonly characters: readonly Characters[];
  readonly loops: readonly (Loop | undefined)[];
  readonly next: readonly ReadonlyMap<number, number>[];
  readonly first: Transitions;
  readonly last: Transitions;
}

type Transitions = ReadonlyMap<number, number>;

interface Fragment {
  readonly first: Transitions;
  readonly last: Transitions;
  /** The number of ways to match nothing, at most 2. */
  readonly empty: number;
}

/** Undefined if it would have more than `limit` states. */
export function buildAutomaton(expression: Expression, limit: number): Automaton | undefined {
  const characters: Characters[] = [];
  const loops: (Loop | undefined)[] = [];
  const next: Map<number, number>[] = [];

  function connect(from: Transitions, to: Transitions): void {
    for (const [state, ways] of from) {
      for (const [target, more] of to) add(next[state], target, ways * more);
    }
  }

  function build(part: Expression): Fragment {
    if (characters.length > limit) return emptyFragment;
    if (part.kind === 'empty') return emptyFragment;
    if (part.kind === 'one') {
      const state = characters.push(part.characters) - 1;
      loops.push(part.loop);
      next.push(new Map());
      return { first: new Map([[state, 1]]), last: new Map([[state, 1]]), empty: 0 };
    }
    if (part.kind === 'choice') return part.options.map(build).reduce(either);
    if (part.kind === 'sequence') {
      return part.parts.map(build).reduce((left, right) => {
        connect(left.last, right.first);
        return inTurn(left, right);
      }, emptyFragment);
    }
    const body = build(part.body);
    connect(body.last, body.first);
    // An engine does not repeat an empty round, so a loop matches nothing in one way.
    return part.atLeastOnce ? body : { ...body, empty: 1 };
  }

  const { first, last } = build(expression);
  return characters.length > limit ? undefined : { characters, loops, next, first, last };
}

const emptyFragment: Fragment = { first: new Map(), last: new Map(), empty: 1 };

function either(left: Fragment, right: Fragment): Fragment {
  return {
    first: addWays(left.first, right.first, 1),
    last: addWays(left.last, right.last, 1),
    empty: Math.min(2, left.empty + right.empty),
  };
}

function inTurn(left: Fragment, right: Fragment): Fragment {
  return {
    first: addWays(left.first, right.first, left.empty),
    last: addWays(right.last, left.last, right.empty),
    empty: Math.min(2, left.empty * right.empty),
  };
}

function addWays(left: Transitions, right: Transitions, factor: number): Transitions {
  const all = new Map(left);
  if (factor > 0) for (const [state, ways] of right) add(all, state, ways * factor);
  return all;
}

function add(ways: Map<number, number> | undefined, state: number, more: number): void {
  ways?.set(state, Math.min(2, (ways.get(state) ?? 0) + more));
}

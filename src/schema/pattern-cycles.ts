type Graph = readonly ReadonlyMap<number, unknown>[];

/** The sets of states that lead back to themselves (Tarjan's strongly connected components that have an edge). */
export function cyclesOf(next: Graph): ReadonlySet<number>[] {
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

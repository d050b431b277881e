import type { Rule, Viewer } from './access.ts';
import { boundedCache, type Cache } from './bounded-cache.ts';
import type { Resource } from './resource.ts';

interface Work<Plan, Compiled> {
  /** The rules that decide what the plan's statement may read. */
  readonly rulesOf: (plan: Plan) => readonly Rule[];
  readonly compile: (plan: Plan, viewer: Viewer | null) => Compiled;
}

interface Asked<Plan> {
  readonly viewer: Viewer | null;
  /** The text that `parse` makes a plan of. */
  readonly text: string;
  readonly parse: () => Plan;
}

interface Known<Plan, Compiled> {
  readonly plan: Plan;
  readonly rules: readonly Rule[];
  readonly statements: Cache<Compiled>;
}

/** Requests repeat themselves: a text is parsed once, and compiled once for each answer that its rules give. */
export function statementMemory<Plan, Compiled>({ rulesOf, compile }: Work<Plan, Compiled>) {
  const memories = new WeakMap<Resource, Cache<Known<Plan, Compiled>>>();
  return (resource: Resource, { viewer, text, parse }: Asked<Plan>) => {
    const memory = memories.get(resource) ?? boundedCache<Known<Plan, Compiled>>(500);
    memories.set(resource, memory);
    const { plan, rules, statements } = memory(text, () => {
      const made = parse();
      return { plan: made, rules: rulesOf(made), statements: boundedCache<Compiled>(20) };
    });
    const answers = JSON.stringify(rules.map((rule) => rule(viewer)));
    return { plan, statement: statements(answers, () => compile(plan, viewer)) };
  };
}

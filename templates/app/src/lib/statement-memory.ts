import type { Rule, Viewer } from './access.ts';
import { boundedCache, type Cache } from './bounded-cache.ts';
import type { Resource } from './resource.ts';
import type { Statement } from './sql/statement.ts';

interface Work<Plan> {
  /** The rules that decide what the plan's statement may read. */
  readonly rulesOf: (plan: Plan) => readonly Rule[];
  readonly compile: (plan: Plan, viewer: Viewer | null) => Statement;
}

interface Asked<Plan> {
  readonly viewer: Viewer | null;
  /** The text that `parse` makes a plan of. */
  readonly text: string;
  readonly parse: () => Plan;
}

interface Known<Plan> {
  readonly plan: Plan;
  readonly rules: readonly Rule[];
  readonly statements: Cache<Statement>;
}

/** Requests repeat themselves: a text is parsed once, and compiled once for each answer that its rules give. */
export function statementMemory<Plan>({ rulesOf, compile }: Work<Plan>) {
  const memories = new WeakMap<Resource, Cache<Known<Plan>>>();
  return (resource: Resource, { viewer, text, parse }: Asked<Plan>) => {
    const memory = memories.get(resource) ?? boundedCache<Known<Plan>>(500);
    memories.set(resource, memory);
    const { plan, rules, statements } = memory(text, () => {
      const made = parse();
      return { plan: made, rules: rulesOf(made), statements: boundedCache<Statement>(20) };
    });
    const answers = JSON.stringify(rules.map((rule) => rule(viewer)));
    return { plan, statement: statements(answers, () => compile(plan, viewer)) };
  };
}

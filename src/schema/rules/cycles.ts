import type { RelationSchema } from '../schema.ts';
import type { Facts, Rule } from './facts.ts';

/** A first row must be possible: a required key leads neither to its own model nor round a circle. */
export const firstRowsArePossible: Rule = (facts, report) => {
  const told = new Set<string>();
  for (const { name: model, schema } of facts.models) {
    for (const { name, to } of schema.relations.filter(isRequired)) {
      const way = wayBetween(to.value, model, facts);
      const circle = way?.toSorted().join(' ');
      if (to.value === model) {
        report({
          code: 'SCF308',
          at: to.at,
          message: `${model}.${name.value} is required and leads to ${model} itself, so there could be no first row`,
          help: `make it optional: \`${name.value}: ${model}?\``,
        });
      } else if (way !== undefined && circle !== undefined && !told.has(circle)) {
        told.add(circle);
        report({
          code: 'SCF307',
          at: to.at,
          message: `${[model, ...way].join(' → ')} is a circle of required relations, so there could be no first row`,
          help: 'make one of them optional with `?`',
        });
      }
    }
  }
};

function isRequired({ many, optional }: RelationSchema): boolean {
  return !many && !optional;
}

/** The shortest way over required relations, both ends included. */
function wayBetween(from: string, to: string, { byName }: Facts): readonly string[] | undefined {
  const ways: string[][] = [[from]];
  const seen = new Set([from]);
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    const last = way.at(-1) ?? from;
    if (last === to) return way;
    for (const { to: next } of byName.get(last)?.schema.relations.filter(isRequired) ?? []) {
      if (seen.has(next.value)) continue;
      seen.add(next.value);
      ways.push([...way, next.value]);
    }
  }
  return undefined;
}

import type { RelationSchema } from '../schema.ts';
import type { Facts, ModelFacts, Rule } from './facts.ts';

/** A first row must be possible: a required key leads neither to its own model nor round a circle. */
export const firstRowsArePossible: Rule = (facts, report) => {
  const told = new Set<string>();
  for (const model of facts.models) {
    for (const { name, to } of requiredOf(model)) {
      if (to.value !== model.name) continue;
      report({
        code: 'SCF308',
        at: to.at,
        message: `${model.name}.${name.value} is required and leads to ${model.name} itself, so there could be no first row`,
        help: `make it optional: \`${name.value}: ${model.name}?\``,
      });
    }
    const circle = shortestCircle(model, facts);
    const key = circle?.toSorted().join(' ');
    const relation = requiredOf(model).find(({ to }) => to.value === circle?.[0]);
    if (circle === undefined || key === undefined || relation === undefined || told.has(key))
      continue;
    told.add(key);
    report({
      code: 'SCF307',
      at: relation.to.at,
      message: `${[model.name, ...circle].join(' → ')} is a circle of required relations, so there could be no first row`,
      help: 'make one of them optional with `?`',
    });
  }
};

function requiredOf({ schema }: ModelFacts): readonly RelationSchema[] {
  return schema.relations.filter(({ many, optional }) => !many && !optional);
}

/** The models on the shortest way from this one back to it over others, itself last. */
function shortestCircle(model: ModelFacts, { byName }: Facts): readonly string[] | undefined {
  const ways: string[][] = [[]];
  const seen = new Set<string>();
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    const last = byName.get(way.at(-1) ?? model.name);
    for (const { to } of last === undefined ? [] : requiredOf(last)) {
      if (to.value === last?.name || seen.has(to.value)) continue;
      seen.add(to.value);
      if (to.value === model.name) return [...way, to.value];
      ways.push([...way, to.value]);
    }
  }
  return undefined;
}

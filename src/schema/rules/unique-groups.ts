import { factsOfType, type Facts, type ModelFacts, type Rule } from './facts.ts';

/** A group of which every new row would have the same values admits one row. */
export const groupsCanDiffer: Rule = (facts, report) => {
  for (const model of facts.models) {
    for (const group of model.schema.unique) {
      const [first] = group;
      const names = group.map(({ value }) => value);
      if (first === undefined || !names.every((name) => isFixed(name, model, facts))) continue;
      report({
        code: 'SCF211',
        at: first.at,
        message: `unique of ${model.name}: every new row would have the same ${names.map((name) => `\`${name}\``).join(', ')}`,
        help: 'add a field that differs from row to row, or remove the list',
      });
    }
  }
};

/** Whether only the server sets it, and always to the same. */
function isFixed(name: string, { schema }: ModelFacts, facts: Facts): boolean {
  const field = schema.fields.find((each) => each.name.value === name);
  if (field?.readonly !== true || field.default === undefined) return false;
  return field.default.value !== factsOfType(field.type.value, facts)?.made?.word;
}

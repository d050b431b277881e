import { inTicks } from '../../words.ts';
import { findConditionFlaw } from '../condition-flaws.ts';
import { type Facts, findByName, findType, type ModelFacts, modelRule } from '../facts.ts';
import { parseCondition } from '../parse-entry.ts';
import { listRepeats, type Flaw, isFlaw } from '../scope.ts';

export const groupsAreDistinct = modelRule(({ schema, name }, report) => {
  const repeated = listRepeats(schema.unique, ({ keys, where }) =>
    [...keys.map(({ value }) => value).toSorted(), where?.value ?? ''].join(' '),
  );
  for (const { at } of [...repeated].flatMap(({ keys: [first] }) => first ?? [])) {
    const message = `unique of ${name} lists the same fields twice`;
    report({ code: 'SCF220', at, message, help: 'remove one of the lists' });
  }
});

/** If every new row has the same values in a group, there can be only one row. */
export const groupsCanDiffer = modelRule((model, report, facts) => {
  for (const { keys, where } of model.schema.unique) {
    const [first] = keys;
    // With a condition, allowing just one row may be the point.
    if (where !== undefined) continue;
    const names = keys.map(({ value }) => value);
    if (first === undefined || !names.every((name) => isFixed(name, model, facts))) continue;
    const message = `unique of ${model.name}: every new row would have the same ${inTicks(names).join(', ')}`;
    const help = 'add a field that differs from row to row, or remove the list';
    report({ code: 'SCF211', at: first.at, message, help });
  }
});

/** Whether only the server sets it, always to the same value. */
function isFixed(name: string, { schema }: ModelFacts, facts: Facts): boolean {
  const field = findByName(name, schema.fields);
  if (field?.readonly !== true || field.default === undefined) return false;
  return field.default.value !== findType(field.type.value, facts)?.made?.word;
}

/** The condition of an index must depend only on its row: not on who asks, the time or other rows. */
export const conditionsAreOfTheRow = modelRule((model, report, facts) => {
  const { unique, indexes } = model.schema;
  for (const { where } of [...unique, ...indexes]) {
    const flaw = where && whereFlaw(where.value, model, facts);
    if (where && flaw) report({ ...flaw, code: 'SCF222', at: where.at });
  }
});

function whereFlaw(text: string, model: ModelFacts, facts: Facts): Flaw | undefined {
  const comparisons = parseCondition(text);
  if (isFlaw(comparisons)) return comparisons;
  const far = comparisons.find(({ path }) => path.length > 1);
  if (far !== undefined) {
    const message = `\`${far.path.join('.')}\` is in another row, which an index cannot see`;
    return { message, help: `compare fields of ${model.name} itself` };
  }
  const values = comparisons.flatMap((it) => it.values);
  const changing = values.find(({ kind }) => kind !== 'literal');
  if (changing !== undefined) {
    const word = changing.kind === 'now' ? 'now' : 'me';
    const help = 'compare with a fixed value: an index cannot follow what changes by itself';
    return { message: `an index cannot depend on \`${word}\``, help };
  }
  return findConditionFlaw(comparisons, model, facts);
}

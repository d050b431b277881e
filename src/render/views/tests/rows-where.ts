import type { App, Field, Model } from '../../../model/app.ts';
import { findField } from '../../../model/lookups.ts';
import type { Comparison } from '../../../schema/entry.ts';
import { findValueIn } from '../../../types/all.ts';
import { exampleValues, type Values } from './example-values.ts';
import { isChecked } from './values-in-order.ts';
import { pastTime, judgeCondition, futureTime } from './verdict.ts';
import type { Json } from '../../../types/field-type.ts';
import { isConstrained } from './unique-values.ts';

/** Values that meet all conditions, then values that violate one; empty if a test cannot set them. */
export function rowsWhere(
  conditions: readonly Comparison[],
  model: Model,
  app: App,
): readonly Values[] {
  const found = conditions.map((each) => ({ each, field: findFieldSet(each, model) }));
  const valueWhere = (field: Field, isWanted: (value: Json) => boolean) => {
    const value = valuesFor(field, conditions, model, app).find(isWanted);
    return value === undefined ? undefined : { [field.name]: value };
  };
  const holds = (each: Comparison, { name }: Field, value: Json) =>
    judgeCondition([each], { [name]: value }, model, app);
  const held = found.map(
    ({ field }) =>
      field &&
      valueWhere(field, (value) =>
        found.every((it) => it.field !== field || holds(it.each, field, value) === true),
      ),
  );
  if (held.includes(undefined)) return [];
  const all: Values = Object.assign({}, ...held);
  const broken = found.flatMap(({ each, field }) => {
    const value = field && valueWhere(field, (it) => holds(each, field, it) === false);
    return value ? [{ ...all, ...value }] : [];
  });
  return [all, ...broken];
}

/** The field of a condition, if a test may set it freely. */
function findFieldSet({ path }: Comparison, model: Model): Field | undefined {
  const [name = '', ...others] = path;
  const field = findField(model, name);
  if (field?.role !== 'declared' || others.length > 0) return undefined;
  return isChecked(field, model) || isConstrained(name, model) ? undefined : field;
}

/** Values that conditions name, and others. */
function valuesFor(
  field: Field,
  conditions: readonly Comparison[],
  model: Model,
  app: App,
): readonly Json[] {
  const named = conditions
    .filter(({ path }) => path[0] === field.name)
    .flatMap(({ values }) => values)
    .flatMap((each) => {
      if (each.kind === 'now') return [pastTime, futureTime];
      return each.kind === 'literal' ? [each.text] : [];
    })
    .map((text) => findValueIn(field, text))
    .filter((value) => value !== undefined);
  return [...named, ...exampleValues(model, field, app), ...(field.nullable ? [null] : [])];
}

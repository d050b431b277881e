import { mayBeSoftDeleted } from '../../model/access.ts';
import type { App, Field, Model, ToOneRelation } from '../../model/app.ts';
import { getTarget, getField, getModel } from '../../model/lookups.ts';
import type { Comparison, Operand } from '../../schema/entry.ts';
import { readValue } from '../../types/all.ts';
import { tsCall, tsString, tsValue } from '../typescript.ts';

/** Where rules are printed. */
export interface RuleScope {
  /** `home`: the model of the policy. `model`: the model whose rows a rule is about. */
  readonly home: Model;
  readonly model: Model;
  readonly app: App;
  readonly use: (module: string, name: string) => string;
  /** Constants of the file, by name: functions that return resources, and calls with them. */
  readonly resourceFunctions: Map<string, string>;
  readonly shares: Map<string, string>;
}

export const useAccess = ({ use }: RuleScope, name: string) => use('../lib/access.ts', name);
const useCondition = ({ use }: RuleScope, name: string) => use('../lib/conditions.ts', name);

export function joinRules(
  word: 'allOf' | 'anyOf',
  rules: readonly string[],
  scope: RuleScope,
): string {
  return rules.length === 1 ? rules.join('') : tsCall(useAccess(scope, word), ...rules);
}

/** The name of a function that returns a model's resource. Two models may refer to each other. */
export function resourceFunction(
  { names }: Model,
  { home, use, resourceFunctions }: RuleScope,
): string {
  const { folder, type, variablePlural } = names;
  use(home.names === names ? './schema.ts' : `../${folder}/schema.ts`, variablePlural);
  resourceFunctions.set(
    `to${type}`,
    `(): ${use('../lib/resource.ts', 'Resource')} => ${variablePlural}`,
  );
  return `to${type}`;
}

export const printComparisons = (all: readonly Comparison[], scope: RuleScope): readonly string[] =>
  all.map((each) => comparisonRule(each, scope.model, scope));

/** Prints a comparison, over relations of a model. */
function comparisonRule(comparison: Comparison, model: Model, scope: RuleScope): string {
  const { path, operator, values } = comparison;
  const [first = '', ...others] = path;
  if (others.length === 0) {
    const field = getField(model, first);
    const column = tsString(field.column);
    const when = useCondition(scope, 'when');
    if (operator === 'is null') return tsCall(when, column, "'is'", 'null');
    if (operator === 'is not null') return tsCall(when, column, "'is not'", 'null');
    const all = values.map((value) => printOperand(value, field, scope));
    const right = operator === 'in' ? `[${all.join(', ')}]` : all.join('');
    return tsCall(when, column, tsString(operator), right);
  }
  // A missing row counts as null.
  if (operator === 'is null') {
    const isNotNull = comparisonRule({ path, operator: 'is not null', values }, model, scope);
    return tsCall(useCondition(scope, 'not'), isNotNull);
  }
  const { key, target } = getTarget(model, first, scope.app);
  const rest = comparisonRule({ path: others, operator, values }, target, scope);
  const steps = [tsString(key.column), tsString(target.table), rest, ...living(target, scope)];
  return tsCall(useCondition(scope, 'over'), ...steps);
}

/** Prints a condition on the row behind a key: `over('team_id', 'teams', everyone, toTeam)`. */
export function printOver(relation: ToOneRelation, there: Model, scope: RuleScope): string {
  const { column } = getField(scope.model, relation.key);
  const steps = [tsString(column), tsString(there.table), useAccess(scope, 'everyone')];
  return tsCall(useCondition(scope, 'over'), ...steps, ...living(there, scope));
}

/** The condition that a row is not deleted, for models with soft deletion. */
const living = (there: Model, scope: RuleScope): readonly string[] =>
  mayBeSoftDeleted(there, scope.app) ? [resourceFunction(there, scope)] : [];

function printOperand(operand: Operand, field: Field, scope: RuleScope): string {
  switch (operand.kind) {
    case 'now':
      return scope.use('../database/slot.ts', 'now');
    case 'me':
      return printViewer(operand.path, scope);
    case 'literal':
      return tsValue(readValue(field.type, operand.text));
  }
}

/** Prints a value of the viewer: `me('team_id')`, `mine(me('team_id'), 'teams', 'plan')`. */
function printViewer(path: readonly string[], scope: RuleScope): string {
  let [at, text] = [getModel('User', scope.app), ''];
  for (const [index, name] of path.entries()) {
    const isLast = index === path.length - 1;
    const step = isLast ? undefined : getTarget(at, name, scope.app);
    const field = step?.key ?? getField(at, name);
    const mine = () => [text, tsString(at.table), tsString(field.column), ...living(at, scope)];
    text =
      text === ''
        ? tsCall(useCondition(scope, 'me'), tsString(field.name))
        : tsCall(useCondition(scope, 'mine'), ...mine());
    at = step?.target ?? at;
  }
  return text;
}

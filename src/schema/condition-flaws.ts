import { fieldTypes } from '../types/all.ts';
import type { FieldType } from '../types/field-type.ts';
import type { Comparison, Operand } from './entry.ts';
import {
  type Facts,
  findByName,
  findModelFacts,
  findType,
  type ModelFacts,
  toOneNames,
  toOneRelations,
} from './facts.ts';
import { readType } from './keys/field-type.ts';
import { parseCondition } from './parse-entry.ts';
import { isSingle } from './property-facts.ts';
import { type CodedFlaw, type Flaw, isFlaw } from './scope.ts';
import { suggest } from './suggest.ts';

export function findConditionFlaw(
  condition: readonly Comparison[],
  model: ModelFacts,
  facts: Facts,
): CodedFlaw | undefined {
  for (const comparison of condition) {
    const flaw = comparisonFlaw(comparison, model, facts);
    if (flaw !== undefined) return { code: 'SCF713', ...flaw };
  }
  return undefined;
}

/** Why a condition is wrong where it must be the same for everybody. */
export function findSharedFlaw(text: string, model: ModelFacts, facts: Facts): Flaw | undefined {
  const condition = parseCondition(text);
  if (isFlaw(condition)) return condition;
  const namesMe = condition.some(({ values }) => values.some(({ kind }) => kind === 'me'));
  if (namesMe) {
    const message = '`me` cannot be used here: this condition must not depend on who is asking';
    return { message, help: 'compare with a value, or with `now`' };
  }
  return findConditionFlaw(condition, model, facts);
}

/** The end of a path: a field, or a relation (whose key is compared). */
interface PathEnd {
  readonly title: string;
  /** Undefined if another rule reports the field. */
  readonly type: FieldType | undefined;
  /** The model to which a relation leads. */
  readonly target?: string;
  readonly isHidden?: boolean;
}

function comparisonFlaw(
  { path, operator, values }: Comparison,
  model: ModelFacts,
  facts: Facts,
): Flaw | undefined {
  const left = comparedAt(path, model, facts);
  if (isFlaw(left)) return left;
  if (left.type && fieldTypes[left.type.kind].ordered === undefined) {
    const help = 'compare another field, or write the rule in `policy.ts`';
    return { message: `${left.title} is ${left.type.kind}, which cannot be compared`, help };
  }
  const isOrdered = left.target === undefined && left.type && fieldTypes[left.type.kind].measured;
  if (/[<>]/.test(operator) && isOrdered === undefined) {
    const help = 'use `=`, `!=` or `in`';
    return { message: `${left.title} has no order, so \`${operator}\` cannot compare it`, help };
  }
  for (const value of values) {
    const flaw = operandFlaw(value, left, facts);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

function operandFlaw(operand: Operand, left: PathEnd, facts: Facts): Flaw | undefined {
  if (operand.kind === 'me') return ownFlaw(operand.path, left, facts);
  if (operand.kind === 'literal') return literalFlaw(operand.text, left, facts);
  if (left.type?.kind === 'datetime') return undefined;
  return { message: `${left.title} is not a datetime`, help: 'compare `now` with a datetime' };
}

/** Why a comparison with `me` is wrong. */
function ownFlaw(
  path: readonly string[],
  { title, type, target }: PathEnd,
  facts: Facts,
): Flaw | undefined {
  const user = facts.byName.get('User');
  const right = user && comparedAt(path, user, facts);
  if (right === undefined || isFlaw(right)) return right;
  if (right.isHidden) {
    const message = `rules cannot compare ${right.title}, which is hidden`;
    return { message, help: 'compare another field of the user' };
  }
  const isAlike = right.target === target && JSON.stringify(right.type) === JSON.stringify(type);
  if (isAlike || right.type === undefined || type === undefined) return undefined;
  const message = `${title} cannot equal \`me.${path.join('.')}\`, which has another type`;
  return { message, help: 'compare values of the same type, or relations to the same model' };
}

function literalFlaw(
  text: string,
  { title, type, target }: PathEnd,
  facts: Facts,
): Flaw | undefined {
  if (type?.kind === 'id' || target !== undefined) {
    const help = 'compare it with `me.…`, or write `is null`';
    return { message: `${title} leads to a row, and \`${text}\` is a plain value`, help };
  }
  if (type === undefined) return undefined;
  if (type.kind === 'enum') {
    // The roles of users are an enum that the file does not declare.
    const values = facts.enums.get(type.enum) ?? facts.roles;
    const message = `\`${text}\` is not a value of ${title}`;
    return values.includes(text) ? undefined : { message, help: suggest(text, values) };
  }
  const { read, flawOf } = fieldTypes[type.kind];
  const wrong = flawOf(read?.(text) ?? text, { type });
  if (wrong === undefined) return undefined;
  const { reason, expected, help = 'use a value that the field can have' } = wrong;
  const message = expected ? `${title} is ${expected}, not \`${text}\`` : `${title}: ${reason}`;
  return { message, help };
}

function comparedAt(path: readonly string[], model: ModelFacts, facts: Facts): PathEnd | Flaw {
  const [name = '', ...others] = path;
  const { schema } = model;
  const relation = findByName(name, toOneRelations(schema));
  if (others.length > 0) {
    const there = findModelFacts(model, name, facts);
    if (there !== undefined) return comparedAt(others, there, facts);
    const message = `${model.name} has no to-one relation \`${name}\``;
    const help = suggest(name, toOneNames(model)) || 'compare a field of the model';
    return { message, help };
  }
  const title = `${model.name}.${name}`;
  if (relation !== undefined) {
    return { title, type: { kind: 'id' }, target: relation.to.value };
  }
  const field = findByName(name, schema.fields);
  if (field !== undefined) {
    const { hidden: isHidden = false } = field;
    const isKnown = findType(field.type.value, facts) !== undefined;
    return { title, isHidden, type: isKnown ? readType(field) : undefined };
  }
  const builtIn = model.properties.find((it) => it.kind === 'built-in' && it.name === name);
  if (builtIn?.name === 'id') return { title, type: { kind: 'id' }, target: model.name };
  if (builtIn?.type !== undefined) return { title, type: builtIn.type };
  const valid = model.properties.filter(isSingle).map((it) => it.name);
  return { message: `${model.name} has no field \`${name}\``, help: suggest(name, valid) };
}

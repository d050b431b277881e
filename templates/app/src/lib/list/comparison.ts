import { unknownName } from '../nearest.ts';
import type { Path } from '../path.ts';
import type { Complain } from '../problem.ts';
import { type TypeName, wireTypes } from '../../database/values.ts';
import type { Comparison } from './filter.ts';
import { type Operator, operators, operatorsOf } from './operators.ts';

export function legalOperator(path: Path, word: string, complain: Complain): Operator | undefined {
  const legal = operatorsOf[path.field.type];
  const operator = legal.find((it) => it === word);
  if (operator === undefined) {
    complain('unknown_operator', `operator of \`${path.text}\`: ${unknownName(word, legal)}`);
  }
  return operator;
}

/** The comparison when its values are such as the field can hold. */
export function checked(comparison: Comparison, complain: Complain): Comparison | undefined {
  const wrong = whatIsWrong(comparison);
  if (wrong === undefined) return comparison;
  complain('invalid_value', `\`${comparison.path.text}\` ${wrong}`);
  return undefined;
}

const longestList = 1000;

/** How many values an operator compares with. */
const counts = {
  value: [1, 1],
  part: [1, 1],
  truth: [1, 1],
  pair: [2, 2],
  list: [1, longestList],
} as const;

function whatIsWrong({ path: { field }, operator, values }: Comparison): string | undefined {
  const { takes } = operators[operator];
  const [least, most] = counts[takes];
  if (values.length < least || values.length > most) {
    return most === 1
      ? 'takes one value'
      : `takes ${[...new Set([least, most])].join(' to ')} values`;
  }
  const type = operandTypes[takes] ?? field.type;
  const { expected, check } = wireTypes[type];
  if (values.every((value) => check(value, field))) return undefined;
  return type === 'enum' ? `must be one of ${field.values?.join(', ')}` : `must be ${expected}`;
}

/** Where an operator does not compare with values of the field's own type. */
const operandTypes: Readonly<Partial<Record<keyof typeof counts, TypeName>>> = {
  truth: 'bool',
  part: 'text',
};

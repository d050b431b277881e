import { unknownName } from '../nearest.ts';
import type { Path } from '../path.ts';
import type { Complain } from '../problem.ts';
import type { Field } from '../resource.ts';
import { isText, wireTypes } from '../values.ts';
import type { Comparison } from './filter.ts';
import { type Operator, operators, operatorsOf } from './operators.ts';

const longestList = 1000;

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
  const expected = whatIsWrong(comparison);
  if (expected === undefined) return comparison;
  complain('invalid_value', `\`${comparison.path.text}\` ${expected}`);
  return undefined;
}

function whatIsWrong({ path: { field }, operator, values }: Comparison): string | undefined {
  const isEach = (check: (value: unknown) => boolean) => values.every(check);
  const { expected, check } = wireTypes[field.type];
  const isValue = (value: unknown) => check(value, field);
  switch (operators[operator].takes) {
    case 'value':
      return values.length === 1 && isEach(isValue)
        ? undefined
        : `must be ${named(field, expected)}`;
    case 'list':
      if (values.length === 0 || values.length > longestList)
        return `takes 1 to ${longestList} values`;
      return isEach(isValue) ? undefined : `must be a list, each ${named(field, expected)}`;
    case 'pair':
      return values.length === 2 && isEach(isValue)
        ? undefined
        : `must be two values, each ${named(field, expected)}`;
    case 'part':
      return values.length === 1 && isEach((it) => typeof it === 'string' && isText(it))
        ? undefined
        : 'must be text';
    default:
      return values.length === 1 && isEach((it) => typeof it === 'boolean')
        ? undefined
        : 'must be true or false';
  }
}

function named(field: Field, expected: string): string {
  return field.values ? `one of ${field.values.join(', ')}` : expected;
}

import { type DeadEnd, type Path, refusePath, resolvePath } from '../path.ts';
import type { Complain } from '../problem.ts';
import type { Field } from '../resource.ts';
import { wireTypes } from '../../database/values.ts';
import { checked, legalOperator } from './comparison.ts';
import type { Comparison } from './filter.ts';
import { type Operator, operators } from './operators.ts';
import { reservedParameters } from './parameters.ts';
import type { Asked } from './parse-list.ts';
import type { Parameter } from './query-string.ts';

/** `author.name__icontains=ann`; without an operator, equality. */
export function parseTerm(
  asked: Asked,
  { name, value }: Parameter,
  complain: Complain,
): Comparison | undefined {
  const [path, word = 'eq'] = pathAndOperator(asked, name);
  if ('unknown' in path) {
    const known = name.includes('.')
      ? path.known
      : [...reservedParameters(asked.resource), ...path.known];
    refusePath({ ...path, known }, 'unknown_parameter', complain);
    return undefined;
  }
  const operator = legalOperator(path, word, complain);
  if (operator === undefined) return undefined;
  return checked({ path, operator, values: valuesIn(value, path.field, operator) }, complain);
}

/** A field may have `__` in its name, so the whole name comes first. */
function pathAndOperator(
  { resource, viewer }: Asked,
  name: string,
): readonly [Path | DeadEnd, string?] {
  const whole = resolvePath(resource, name, { viewer });
  const cut = name.lastIndexOf('__');
  if (!('unknown' in whole) || whole.barred !== undefined || cut < 1) return [whole];
  return [resolvePath(resource, name.slice(0, cut), { viewer }), name.slice(cut + 2)];
}

function valuesIn(text: string, field: Field, operator: Operator): readonly unknown[] {
  const { parse = String } = wireTypes[field.type];
  switch (operators[operator].takes) {
    case 'value':
      return [parse(text)];
    case 'part':
      return [text];
    case 'truth':
      return [wireTypes.bool.parse?.(text)];
    default:
      return text.split(',').map((part) => parse(part));
  }
}

import { present } from '../present.ts';
import type { ValueFlaw, TypeDefinition, TypedField, Json } from './field-type.ts';

/** A text of a form; `expected` ends "… is not". */
export function requireForm(form: RegExp, expected: string): TypeDefinition['flawOf'] {
  return (value, field) =>
    typeof value === 'string' && form.test(value)
      ? findLengthFlawOf(charactersIn(value), field, 'characters')
      : wrongType(value, expected);
}

export function findLengthFlawOf(
  length: number,
  { min, max }: TypedField,
  unit: 'bytes' | 'characters',
): ValueFlaw | undefined {
  if (min !== undefined && length < Number(min)) {
    return { kind: 'value', reason: `${length} ${unit} are fewer than ${min}` };
  }
  if (max !== undefined && length > Number(max)) {
    return { kind: 'value', reason: `${length} ${unit} are more than ${max}` };
  }
  return undefined;
}

export function outOfRange(value: string | number, how: 'less' | 'more', bound: string | number) {
  return { kind: 'value', reason: `\`${value}\` is ${how} than ${bound}` } as const;
}

export function wrongType(value: Json, expected: string): ValueFlaw {
  const isPlain = typeof value !== 'object';
  const help = expected === 'a string' && isPlain ? 'put it in quotes' : undefined;
  const reason = `${shown(value)} is not ${expected}`;
  return { kind: 'type', reason, expected, ...present({ help }) };
}

export function shown(value: Json): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  const text = String(value);
  return `\`${text.length > 40 ? `${text.slice(0, 40)}…` : text}\``;
}

/** Code points: what an editor's caret steps over, near enough, and what databases count. */
export function charactersIn(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

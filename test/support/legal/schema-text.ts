import type { LegalField } from './field.ts';

/** Whether the short form can say all of it: its default has to be one bare word. */
export function fitsShortForm(field: LegalField): boolean {
  const { type, min, max, default: value } = field;
  const bare = value === undefined || /^[\w.:+-]+$/.test(String(value));
  const twoRanges = type.includes('(') && (min ?? max) !== undefined;
  return (
    bare &&
    !twoRanges &&
    typeof value !== 'object' &&
    Object.keys(field).every((key) => shortKeys.has(key))
  );
}

const shortKeys = new Set(['type', 'min', 'max', 'flags', 'optional', 'default']);

/** `int(0..)? = 3 readonly` */
export function shortForm(field: LegalField): string {
  const range =
    field.min === undefined && field.max === undefined
      ? ''
      : `(${field.min ?? ''}..${field.max ?? ''})`;
  const mark = field.optional ? '?' : '';
  const value = field.default === undefined ? '' : ` = ${String(field.default)}`;
  return [`${field.type}${range}${mark}${value}`, ...field.flags].join(' ');
}

/** A map with everything spelled out. */
export function longForm(field: LegalField): Record<string, unknown> {
  const { flags, min, max, ...rest } = field;
  const isNumber = /^(int|float|string|text|email|url|bytes)/.test(field.type);
  const bound = (value: string) => (isNumber ? Number(value) : value);
  return {
    ...rest,
    ...(min !== undefined && { min: bound(min) }),
    ...(max !== undefined && { max: bound(max) }),
    ...Object.fromEntries(flags.map((flag) => [flag, true])),
  };
}

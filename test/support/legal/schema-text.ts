import type { LegalField } from './field.ts';

/** Whether the short form can say all of it: its default has to be one bare word. */
export function fitsShortForm(field: LegalField): boolean {
  const { default: value, description, example, column, pattern } = field;
  const bare = value === undefined || /^[\w.:+-]+$/.test(String(value));
  const twoRanges = field.type.includes('(') && (field.min ?? field.max) !== undefined;
  return (
    bare &&
    !twoRanges &&
    typeof value !== 'object' &&
    [description, example, column, pattern].every((it) => it === undefined)
  );
}

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
  const isNumber = /^(int|float)$/.test(field.type) || /^(string|text)/.test(field.type);
  const bound = (value: string) => (isNumber ? Number(value) : value);
  return {
    ...rest,
    ...(min !== undefined && { min: bound(min) }),
    ...(max !== undefined && { max: bound(max) }),
    ...Object.fromEntries(flags.map((flag) => [flag, true])),
  };
}

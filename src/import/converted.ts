import type { DraftField, DraftType } from './draft.ts';

/** A type, and what is lost on the way to it. */
export interface Converted extends DraftType {
  readonly lost?: string;
}

/** Of a list, whose items are of the type. */
export function listType(item: 'string' | 'int' | 'enum' | undefined): Converted {
  if (item === 'enum') return { type: { kind: 'string[]' }, lost: 'a list of any texts' };
  return item
    ? { type: { kind: `${item}[]` } }
    : { type: { kind: 'json' }, lost: 'a list, whose items are not checked' };
}

/** Of so many digits, some of them after the point; `most` is what the engine keeps. */
export function decimalType(digits: number, scale: number, most: number): Converted {
  if (digits <= most) return { type: { kind: 'decimal', precision: digits, scale } };
  return {
    type: { kind: 'decimal', precision: most, scale: Math.min(scale, 6) },
    lost: `it had ${digits} digits, ${scale} of them after the point`,
  };
}

/** Those that are built in may be in capitals elsewhere. */
const isBuiltInRole = (role: string) => /^(?:user|admin)$/i.test(role);

/** The roles besides `user` and `admin`. */
export const otherRoles = (roles: readonly string[]): readonly string[] =>
  roles.filter((role) => !isBuiltInRole(role));

/** Whether some of them are called otherwise here. */
export const haveCapitals = (roles: readonly string[]): boolean =>
  roles.some((role) => isBuiltInRole(role) && role !== role.toLowerCase());

/** Nobody reads it any more, and nobody who signs up sends it. */
export function asHash(field: DraftField): DraftField {
  const optional = field.optional === true || field.default === undefined;
  return { ...field, optional, flags: ['readonly', 'hidden'] };
}

export const replacedHash = 'hidden, and `password` takes its place';

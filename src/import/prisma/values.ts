import type { PrismaValue } from './parser.ts';
import type { PrismaAttribute, PrismaEnum, PrismaField } from './schema.ts';

/** Whether a value is a `function`, an `array` or a `keyValue`. */
export function isKind<Kind extends string>(
  value: unknown,
  kind: Kind,
): value is { readonly type: Kind } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === kind;
}

/** Undefined for anything but a list. */
export function findItems(value: PrismaValue | undefined): readonly PrismaValue[] | undefined {
  if (!isKind(value, 'array')) return undefined;
  // The parser leaves `args` out for an empty list.
  const { args = [] }: Partial<typeof value> = value;
  return args;
}

/** Undefined for anything but a quoted text. */
export function unquote(value: PrismaValue | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (!value.startsWith('"')) return value;
  const text: unknown = JSON.parse(value.replaceAll('\t', '\\t'));
  return typeof text === 'string' ? text : undefined;
}

/** The names in a list, `[authorId, slug(sort: Desc)]`, or a single name. */
export function namesIn(
  value: PrismaValue | undefined,
): readonly { readonly name: string; readonly isDescending: boolean }[] {
  return (findItems(value) ?? [value]).flatMap((it) => {
    if (typeof it === 'string') return [{ name: it, isDescending: false }];
    if (!isKind(it, 'function')) return [];
    return [{ name: it.name, isDescending: it.params?.some(sortsDown) === true }];
  });
}

/** `sort: Desc` */
const sortsDown = (given: unknown) =>
  isKind(given, 'keyValue') && 'value' in given && given.value === 'Desc';

export function findAttribute(
  { attributes }: Pick<PrismaField, 'attributes'>,
  name: string,
): PrismaAttribute | undefined {
  return attributes.find((it) => it.name === name);
}

/** The name in the database: `@map("posts")`, `@map(name: "posts")`. */
export function findMapping(of: Pick<PrismaField, 'attributes'>): string | undefined {
  const map = findAttribute(of, 'map');
  return unquote(map?.values[0] ?? map?.named.get('name'));
}

/** The name of a function that a default calls: `now`, `cuid`. */
export function calledBy(value: PrismaValue | undefined): string | undefined {
  return isKind(value, 'function') ? value.name : undefined;
}

/** The numbers between the parentheses: `@db.Decimal(10, 2)`. */
export function readNumbers(found: PrismaAttribute | undefined): readonly number[] {
  return (found?.values ?? []).map(Number).filter((it) => Number.isInteger(it));
}

export const storedValue = ({ name, stored = name }: PrismaEnum['values'][number]) => stored;

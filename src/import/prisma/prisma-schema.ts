import type { Value } from '@mrleebo/prisma-ast';

export type { Value };

/** A Prisma schema, as much of it as has a meaning here. The syntax: https://www.prisma.io/docs/orm/reference/prisma-schema-reference */
export interface PrismaSchema {
  readonly provider: string;
  readonly models: readonly PrismaModel[];
  readonly enums: readonly PrismaEnum[];
  /** Blocks that are nothing but read past, such as views. */
  readonly others: readonly {
    readonly kind: string;
    readonly name: string;
    /** Where it is written: `schema.prisma:14`. */
    readonly place: string;
  }[];
}

export interface PrismaModel {
  readonly name: string;
  readonly place: string;
  readonly description?: string | undefined;
  readonly fields: readonly PrismaField[];
  readonly attributes: readonly PrismaAttribute[];
}

export interface PrismaField {
  readonly name: string;
  readonly place: string;
  readonly type: string;
  readonly isList: boolean;
  readonly isOptional: boolean;
  readonly description?: string | undefined;
  readonly attributes: readonly PrismaAttribute[];
}

/** `@default(now())`, `@db.VarChar(20)` (of the name `db.VarChar`), `@@unique([a, b], map: "x")` */
export interface PrismaAttribute {
  readonly name: string;
  readonly place: string;
  readonly values: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

export interface PrismaEnum {
  readonly name: string;
  readonly place: string;
  readonly values: readonly { readonly name: string; readonly stored?: string | undefined }[];
}

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null;

/** A quoted text, without its quotes. */
export function textOf(value: Value | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (!value.startsWith('"')) return value;
  const text: unknown = JSON.parse(value.replaceAll('\t', '\\t'));
  return typeof text === 'string' ? text : undefined;
}

/** The names of a list, `[authorId, slug(sort: Desc)]`, or the only one. */
export function namesOf(
  value: Value | undefined,
): readonly { readonly name: string; readonly isDescending: boolean }[] {
  const all =
    isObject(value) && !Array.isArray(value) && value.type === 'array' ? value.args : [value];
  return all.flatMap((it) => {
    if (typeof it === 'string') return [{ name: it, isDescending: false }];
    if (!isObject(it) || Array.isArray(it) || it.type !== 'function') return [];
    return [{ name: it.name, isDescending: JSON.stringify(it.params ?? []).includes('Desc') }];
  });
}

export function attribute(
  { attributes }: Pick<PrismaField, 'attributes'>,
  name: string,
): PrismaAttribute | undefined {
  return attributes.find((it) => it.name === name);
}

/** The name of a function that a default calls: `now`, `cuid`. */
export function calledBy(value: Value | undefined): string | undefined {
  return isObject(value) && !Array.isArray(value) && value.type === 'function'
    ? value.name
    : undefined;
}

/** The numbers between the parentheses: `@db.Decimal(10, 2)`. */
export function numbersOf(found: PrismaAttribute | undefined): readonly number[] {
  return (found?.values ?? []).map(Number).filter((it) => Number.isInteger(it));
}

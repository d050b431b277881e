/** The parts used of a Prisma schema: https://www.prisma.io/docs/orm/reference/prisma-schema-reference */
export type PrismaBlock =
  | PrismaModel
  | PrismaEnum
  | { readonly kind: 'datasource'; readonly provider: string | undefined }
  | { readonly kind: 'generator' }
  | ({ readonly kind: 'other'; readonly word: string } & Named);

interface Named {
  readonly name: string;
  /** `schema.prisma:14` */
  readonly place: string;
}

export interface PrismaModel extends Named {
  readonly kind: 'model';
  readonly description: string | undefined;
  readonly table: string;
  readonly fields: readonly PrismaField[];
  readonly attributes: readonly PrismaAttribute[];
}

export interface PrismaField extends Named {
  readonly type: string;
  /** As the file has it: `String?`. */
  readonly written: string;
  readonly isList: boolean;
  readonly isOptional: boolean;
  readonly description: string | undefined;
  readonly attributes: readonly PrismaAttribute[];
}

export interface PrismaEnum extends Named {
  readonly kind: 'enum';
  /** The name of its type in the database. */
  readonly type: string;
  /** `stored`: the value in the database. */
  readonly values: readonly { readonly name: string; readonly stored: string }[];
}

/** What stands between brackets, by its name or else its place: `[a, b], map: "x"`. */
export type PrismaArguments = ReadonlyMap<string, PrismaValue>;

/** `@default(now())`, `@db.VarChar(20)` (of the name `db.VarChar`), `@@unique([a, b], map: "x")` */
export interface PrismaAttribute extends Named {
  readonly given: PrismaArguments;
}

export interface PrismaValue {
  readonly kind: 'quoted' | 'word' | 'call' | 'list';
  /** Without its quotes; of a call, the name of the function. */
  readonly text: string;
  /** To a function that is called, or the items of a list. */
  readonly given: PrismaArguments;
}

export function findAttribute(
  { attributes }: Pick<PrismaModel, 'attributes'>,
  name: string,
): PrismaAttribute | undefined {
  return attributes.find((it) => it.name === name);
}

/** What an attribute is given, by name or in the first place: `@relation("name")`, `@relation(name: "name")`. */
export function findArgument(
  of: Pick<PrismaModel, 'attributes'>,
  attribute: string,
  names: readonly string[] = ['0'],
): PrismaValue | undefined {
  const given = findAttribute(of, attribute)?.given;
  return names.flatMap((name) => given?.get(name) ?? [])[0];
}

/** The name in the database: `@map("posts")`, `@map(name: "posts")`. */
export const findMapping = (of: Pick<PrismaModel, 'attributes'>) =>
  findArgument(of, 'map', ['0', 'name'])?.text;

/** The function that makes the default: `now`, `cuid`. */
export function findMaker(field: PrismaField): string | undefined {
  const value = findArgument(field, 'default');
  return value?.kind === 'call' ? value.text : undefined;
}

/** The names of a list, `[authorId, slug(sort: Desc)]`, or the only one. */
export function namesIn(value: PrismaValue | undefined) {
  const named = value?.kind === 'list' ? [...value.given.values()] : value ? [value] : [];
  return named.map((it) => ({
    name: it.text,
    isDescending: it.given.get('sort')?.text === 'Desc',
  }));
}

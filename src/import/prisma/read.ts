import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { getSchema, type Attribute, type BlockAttribute, type Value } from '@mrleebo/prisma-ast';
import { exitCode, UserError } from '../../errors.ts';
import { placesIn } from './places.ts';

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

interface PrismaEnum {
  readonly name: string;
  /** What its type is called in the database. */
  readonly type: string;
  readonly place: string;
  readonly values: readonly { readonly name: string; readonly stored?: string | undefined }[];
}

/** Reads a schema file, or all of a folder and those below it. Throws a `UserError` (SCF651) when it is none. */
export function readPrisma(path: string): PrismaSchema {
  const files = filesAt(path);
  const parts = files.map((file) => readFile(file));
  return {
    provider: parts.map(({ provider }) => provider).find((name) => name !== '') ?? '',
    models: parts.flatMap(({ models }) => models),
    enums: parts.flatMap(({ enums }) => enums),
    others: parts.flatMap(({ others }) => others),
  };
}

function filesAt(path: string): readonly string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  const files = found?.isDirectory()
    ? readdirSync(path, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.prisma'))
        .toSorted()
        .map((name) => join(path, name))
    : [path];
  if (found !== undefined && files.length > 0) return files;
  throw new UserError('SCF651', `There is no Prisma schema at \`${path}\`.`, {
    exit: exitCode.environment,
    help: 'Name the file, `prisma/schema.prisma`, or the folder that holds the parts.',
  });
}

function readFile(path: string): PrismaSchema {
  // The parser takes a blank behind a bracket for something else than the end of the line.
  const text = readFileSync(path, 'utf8').replaceAll(/[ \t]+$/gm, '');
  const file = basename(path);
  const blocks = parsed(text, file);
  const places = placesIn(text, file);
  const enums: PrismaEnum[] = [];
  const models: PrismaModel[] = [];
  const others: PrismaSchema['others'][number][] = [];
  let provider = '';
  let said: string[] = [];
  for (const block of blocks) {
    if (block.type === 'comment') {
      said.push(block.text);
      continue;
    }
    if (block.type === 'datasource') {
      for (const it of block.assignments) {
        if (it.type === 'assignment' && it.key === 'provider') provider = textOf(it.value) ?? '';
      }
    } else if (block.type === 'enum') {
      const values = block.enumerators.flatMap((it) => {
        if (it.type !== 'enumerator') return [];
        const attributes = (it.attributes ?? []).map((each) => attributeOf(each, ''));
        return [{ name: it.name, stored: mappedTo({ attributes }) }];
      });
      const attributes = block.enumerators.flatMap((it) =>
        it.type === 'attribute' ? [attributeOf(it, '')] : [],
      );
      const type = mappedTo({ attributes }) ?? block.name;
      enums.push({ name: block.name, type, place: places(block.name), values });
    } else if (block.type === 'model') {
      models.push({
        name: block.name,
        place: places(block.name),
        description: described(said),
        ...membersOf(block.properties, (name) => places(block.name, name)),
      });
    } else if (block.type === 'view' || block.type === 'type') {
      others.push({ kind: block.type, name: block.name, place: places(block.name) });
    }
    said = [];
  }
  return { provider, models, enums, others };
}

function parsed(text: string, file: string) {
  try {
    return getSchema(text).list;
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new UserError('SCF651', `\`${file}\` is not a Prisma schema: ${message}`, {
      exit: exitCode.schema,
      help: 'Run `npx prisma validate`, and import what it accepts.',
    });
  }
}

type Properties = Extract<ReturnType<typeof parsed>[number], { type: 'model' }>['properties'];

function membersOf(properties: Properties, whereIs: (name: string) => string) {
  const fields: PrismaField[] = [];
  const attributes: PrismaAttribute[] = [];
  let said: string[] = [];
  for (const it of properties) {
    if (it.type === 'comment') {
      said.push(it.text);
      continue;
    }
    if (it.type === 'attribute') attributes.push(attributeOf(it, whereIs(`@@${it.name}`)));
    if (it.type === 'field') {
      const place = whereIs(it.name);
      const type = typeof it.fieldType === 'string' ? it.fieldType : it.fieldType.name;
      fields.push({
        name: it.name,
        place,
        type,
        isList: it.array === true,
        isOptional: it.optional === true,
        description: described(said),
        attributes: (it.attributes ?? []).map((each) => attributeOf(each, place)),
      });
    }
    said = [];
  }
  return { fields, attributes };
}

function attributeOf(
  { group, name, args = [] }: Attribute | BlockAttribute,
  place: string,
): PrismaAttribute {
  const values: Value[] = [];
  const named = new Map<string, Value>();
  for (const { value } of args) {
    if (isObject(value) && 'type' in value && value.type === 'keyValue')
      named.set(value.key, value.value);
    else values.push(value);
  }
  return { name: group === undefined ? name : `${group}.${name}`, place, values, named };
}

/** Of comments, only those with three slashes document what follows. */
function described(comments: readonly string[]): string | undefined {
  const lines = comments.flatMap((text) => /^\/\/\/\s*(.*?)\s*$/.exec(text)?.[1] ?? []);
  const text = lines.filter((line) => !line.startsWith('@')).join(' ');
  return text === '' ? undefined : text;
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

/** What the database calls it: `@map("posts")`, `@map(name: "posts")`. */
export function mappedTo(of: Pick<PrismaField, 'attributes'>): string | undefined {
  const map = attribute(of, 'map');
  return textOf(map?.values[0] ?? map?.named.get('name'));
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

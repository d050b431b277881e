import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { exitCode, UserError } from '../../errors.ts';
import { isKind, unquote, findMapping } from './values.ts';
import type {
  PrismaSchema,
  PrismaModel,
  PrismaField,
  PrismaAttribute,
  PrismaEnum,
} from './schema.ts';
import {
  type Attribute,
  type BlockAttribute,
  type Comment,
  type PrismaValue,
  parsePrisma,
} from './parser.ts';

/** Reads a schema file, or all below a folder. Throws a `UserError` (SCF651) if it is not a Prisma schema. */
export function readPrisma(path: string): PrismaSchema {
  const files = filesAt(path);
  const parts = files.map((file) => readSchemaFile(file));
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

function readSchemaFile(path: string): PrismaSchema {
  // The parser does not accept blanks between a bracket and the end of its line.
  const text = readFileSync(path, 'utf8').replaceAll(/[ \t]+$/gm, '');
  const file = basename(path);
  const blocks = parsePrisma(text, file);
  const places = placeFinder(text, file);
  const enums: PrismaEnum[] = [];
  const models: PrismaModel[] = [];
  const others: PrismaSchema['others'][number][] = [];
  let provider = '';
  for (const { item: block, description } of attachComments(blocks)) {
    if (block.type === 'datasource') {
      for (const it of block.assignments) {
        if (it.type === 'assignment' && it.key === 'provider') provider = unquote(it.value) ?? '';
      }
    } else if (block.type === 'enum') {
      enums.push({ ...readEnum(block), place: places(block.name) });
    } else if (block.type === 'model') {
      const properties = readProperties(block.properties, (name) => places(block.name, name));
      const stored = findMapping(properties) ?? block.name;
      models.push({
        name: block.name,
        stored,
        place: places(block.name),
        description,
        ...properties,
      });
    } else if (block.type === 'view' || block.type === 'type') {
      others.push({ kind: block.type, name: block.name, place: places(block.name) });
    }
  }
  return { provider, models, enums, others };
}

/** Finds lines by text, because the parser does not keep those of fields: a name begins only one line of its block. */
function placeFinder(text: string, file: string) {
  const lines = new Map<string, number>();
  let block = '';
  for (const [index, line] of text.split('\n').entries()) {
    const opened = /^\s*(?:model|enum|view|type)\s+(\w+)/.exec(line)?.[1];
    const member = /^\s*(@@\w+|\w+)/.exec(line)?.[1];
    if (opened !== undefined) block = opened;
    const key = opened === undefined ? `${block}.${member}` : opened;
    if (member !== undefined && !lines.has(key)) lines.set(key, index + 1);
  }
  return (name: string, member?: string): string =>
    `${file}:${lines.get(member === undefined ? name : `${name}.${member}`) ?? lines.get(name) ?? 1}`;
}

type PrismaBlock<Kind> = Extract<ReturnType<typeof parsePrisma>[number], { type: Kind }>;

function readEnum({ name, enumerators }: PrismaBlock<'enum'>): Omit<PrismaEnum, 'place'> {
  const values = enumerators.flatMap((it) => {
    if (it.type !== 'enumerator') return [];
    const attributes = (it.attributes ?? []).map((each) => convertAttribute(each, ''));
    return [{ name: it.name, stored: findMapping({ attributes }) }];
  });
  const attributes = enumerators.flatMap((it) =>
    it.type === 'attribute' ? [convertAttribute(it, '')] : [],
  );
  return { name, type: findMapping({ attributes }) ?? name, values };
}

function readProperties(
  properties: PrismaBlock<'model'>['properties'],
  whereIs: (name: string) => string,
) {
  const fields: PrismaField[] = [];
  const attributes: PrismaAttribute[] = [];
  for (const { item: it, description } of attachComments(properties)) {
    if (it.type === 'attribute') attributes.push(convertAttribute(it, whereIs(`@@${it.name}`)));
    if (it.type === 'field') {
      const place = whereIs(it.name);
      const type = typeof it.fieldType === 'string' ? it.fieldType : it.fieldType.name;
      const [isList, isOptional] = [it.array === true, it.optional === true];
      fields.push({
        name: it.name,
        place,
        type,
        written: `${type}${isList ? '[]' : ''}${isOptional ? '?' : ''}`,
        isList,
        isOptional,
        description,
        attributes: (it.attributes ?? []).map((each) => convertAttribute(each, place)),
      });
    }
  }
  return { fields, attributes };
}

function convertAttribute(
  { group, name, args = [] }: Attribute | BlockAttribute,
  place: string,
): PrismaAttribute {
  const values: PrismaValue[] = [];
  const named = new Map<string, PrismaValue>();
  for (const { value } of args) {
    if (isKind(value, 'keyValue')) named.set(value.key, value.value);
    else values.push(value);
  }
  return { name: group === undefined ? name : `${group}.${name}`, place, values, named };
}

/** Removes comments and attaches each to the item after it. */
function attachComments<Item extends object>(items: readonly (Item | Comment)[]) {
  let comments: string[] = [];
  return items.flatMap((item) => {
    if (isKind(item, 'comment')) {
      comments.push(item.text);
      return [];
    }
    const description = readDescription(comments);
    comments = [];
    return [{ item, description }];
  });
}

/** Only comments with three slashes are documentation. */
function readDescription(comments: readonly string[]): string | undefined {
  const lines = comments.flatMap((text) => /^\/\/\/\s*(.*?)\s*$/.exec(text)?.[1] ?? []);
  const text = lines.filter((line) => !line.startsWith('@')).join(' ');
  return text === '' ? undefined : text;
}

import { exitCode, UserError } from '../../errors.ts';
import { parseJson } from '../../json.ts';
import {
  findMapping,
  type PrismaArguments,
  type PrismaAttribute,
  type PrismaBlock,
  type PrismaEnum,
  type PrismaField,
  type PrismaValue,
} from './schema.ts';

/** The blocks of one file. Throws a `UserError` (SCF651) if it is not a Prisma schema. */
export function parsePrisma(text: string, file: string): readonly PrismaBlock[] {
  const source = sourceOf(text, file);
  const blocks: PrismaBlock[] = [];
  while (!source.isAtEnd()) blocks.push(readBlock(source));
  return blocks;
}

interface Token {
  readonly text: string;
  readonly place: string;
  /** The comments above it. */
  readonly description: string | undefined;
}

type Source = ReturnType<typeof sourceOf>;

/** The tokens of a file, one after the other. */
function sourceOf(text: string, file: string) {
  const tokens = tokensIn(text, file);
  let at = 0;
  const isNext = (form: RegExp) => form.test(tokens[at]?.text ?? '');
  return {
    isNext,
    isAtEnd: () => at === tokens.length,
    skip(sign: string): boolean {
      const isThere = tokens[at]?.text === sign;
      if (isThere) at += 1;
      return isThere;
    },
    take(form: RegExp): Token {
      const token = tokens[at];
      if (token === undefined || !isNext(form)) throw refused(file, token);
      at += 1;
      return token;
    },
  };
}

function refused(file: string, token: Token | undefined): UserError {
  const why = token ? `\`${token.text}\` is not expected at ${token.place}.` : 'it ends too early.';
  return new UserError('SCF651', `\`${file}\` is not a Prisma schema: ${why}`, {
    exit: exitCode.schema,
    help: 'Run `npx prisma validate`, and import what it accepts.',
  });
}

/** Text between quotes, a comment, a name with its `@`, or a sign. */
const token = /"(?:[^"\\]|\\.)*"|\/\/.*|@{0,2}[-\w.]+|\S/g;

function tokensIn(text: string, file: string): readonly Token[] {
  let comments: string[] = [];
  return text.split('\n').flatMap((line, index): readonly Token[] => {
    const found: readonly string[] = line.match(token) ?? [];
    if (found[0]?.startsWith('//')) {
      comments.push(found[0]);
      return [];
    }
    const description = described(comments);
    comments = [];
    const place = `${file}:${index + 1}`;
    return found
      .filter((it) => !it.startsWith('//'))
      .map((it, at) => ({ text: it, place, description: at === 0 ? description : undefined }));
  });
}

/** Only comments with three slashes document what follows. */
function described(comments: readonly string[]): string | undefined {
  const lines = comments.flatMap((text) => /^\/\/\/\s*(.*?)\s*$/.exec(text)?.[1] ?? []);
  return lines.filter((line) => !line.startsWith('@')).join(' ') || undefined;
}

function readBlock(source: Source): PrismaBlock {
  const {
    text: kind,
    place,
    description,
  } = source.take(/^(?:model|enum|view|type|datasource|generator)$/);
  const { text: name } = source.take(/^\w/);
  if (kind === 'datasource' || kind === 'generator') {
    const settings = new Map(readMembers(source, readSetting).members);
    const provider = settings.get('provider')?.text;
    return kind === 'generator' ? { kind } : { kind, provider };
  }
  if (kind === 'enum') {
    const { members: values, attributes } = readMembers(source, readEnumValue);
    return { kind, name, place, type: findMapping({ attributes }) ?? name, values };
  }
  const { members: fields, attributes } = readMembers(source, readField);
  if (kind !== 'model') return { kind: 'other', word: kind, name, place };
  const table = findMapping({ attributes }) ?? name;
  return { kind, name, place, description, table, fields, attributes };
}

function readMembers<Member>(source: Source, readMember: (from: Source) => Member) {
  const members: Member[] = [];
  const attributes: PrismaAttribute[] = [];
  source.take(/^\{$/);
  while (!source.skip('}')) {
    if (source.isNext(/^@@/)) attributes.push(readAttribute(source));
    else members.push(readMember(source));
  }
  return { members, attributes };
}

function readSetting(source: Source): readonly [key: string, value: PrismaValue] {
  const { text } = source.take(/^\w/);
  source.take(/^=$/);
  return [text, readValue(source)];
}

function readEnumValue(source: Source): PrismaEnum['values'][number] {
  const { text: name } = source.take(/^\w/);
  return { name, stored: findMapping({ attributes: readAttributes(source) }) ?? name };
}

function readField(source: Source): PrismaField {
  const { text: name, place, description } = source.take(/^\w/);
  const { text: type } = readValue(source);
  const isList = source.skip('[') && source.skip(']');
  const isOptional = source.skip('?');
  const written = `${type}${isList ? '[]' : ''}${isOptional ? '?' : ''}`;
  const attributes = readAttributes(source);
  return { name, place, type, written, isList, isOptional, description, attributes };
}

function readAttributes(source: Source): readonly PrismaAttribute[] {
  const found: PrismaAttribute[] = [];
  while (source.isNext(/^@\w/)) found.push(readAttribute(source));
  return found;
}

function readAttribute(source: Source): PrismaAttribute {
  const { text, place } = source.take(/^@/);
  return { name: text.replace(/^@+/, ''), place, given: readArguments(source) };
}

/** None where no bracket follows. */
function readArguments(
  source: Source,
  [start, end]: readonly [string, string] = ['(', ')'],
): PrismaArguments {
  const given = new Map<string, PrismaValue>();
  if (!source.skip(start)) return given;
  while (!source.skip(end)) {
    const value = readValue(source);
    if (source.skip(':')) given.set(value.text, readValue(source));
    else given.set(String(given.size), value);
    source.skip(',');
  }
  return given;
}

function readValue(source: Source): PrismaValue {
  if (source.isNext(/^\[$/)) {
    return { kind: 'list', text: '', given: readArguments(source, ['[', ']']) };
  }
  const { text } = source.take(/^["\w-]/);
  const isCall = source.isNext(/^\($/);
  const given = readArguments(source);
  if (!text.startsWith('"')) return { kind: isCall ? 'call' : 'word', text, given };
  return { kind: 'quoted', text: String(parseJson(text.replaceAll('\t', '\\t'))), given };
}

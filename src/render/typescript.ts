import type { Json } from '../types/field-type.ts';

/** Prints a string literal. Uses double quotes only if that saves escapes, as prettier does. */
export function tsString(text: string): string {
  const count = (quote: string) => text.split(quote).length - 1;
  const quote = count("'") > count('"') ? '"' : "'";
  const body = text.replace(special, (character) => {
    if (character === "'" || character === '"')
      return character === quote ? `\\${character}` : character;
    return escapes[character] ?? unicodeEscape(character);
  });
  return quote + body + quote;
}

/** Prints a property name, with quotes only if necessary. */
export function tsKey(name: string): string {
  // Without brackets, it would set the prototype.
  if (name === '__proto__') return "['__proto__']";
  return wholeIdentifier.test(name) ? name : tsString(name);
}

/** What prettier accepts as an identifier: letters of any language. */
const wholeIdentifier = /^(?!.*[\u{10000}-\u{10ffff}])[\p{L}$_][\p{L}\p{Nd}$_]*$/u;

/** Prints a JSON value on one line. */
export function tsValue(value: Json): string {
  if (typeof value === 'string') return tsString(value);
  if (typeof value === 'number') return String(value).replace('e+', 'e');
  if (value === null || typeof value !== 'object') return String(value);
  if (isJsonList(value)) return `[${value.map(tsValue).join(', ')}]`;
  return tsObject(tsValues(value));
}

const isJsonList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** Prints each property of a JSON object. */
export function tsValues(values: Readonly<Record<string, Json>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, tsValue(value)]));
}

/** Prints an object literal on one line. Leaves out undefined properties. */
export function tsObject(properties: Readonly<Record<string, string | undefined>>): string {
  const printed = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : [`${tsKey(name)}: ${value}`],
  );
  return printed.length === 0 ? '{}' : `{ ${printed.join(', ')} }`;
}

/** A property with its printed value, or a member of a type. */
export interface Member {
  readonly name: string;
  readonly value: string;
}

/** Prints an object literal, or a type if `end` is `;`, with a line for each member. `indent`: that of the line. */
export function tsBlock(members: readonly Member[], indent: string, end: ',' | ';' = ','): string {
  const inner = members.map(({ name, value }) => `${indent}  ${name}: ${value}${end}\n`);
  return inner.length === 0 ? '{}' : `{\n${inner.join('')}${indent}}`;
}

/** Prints a call on one line. Leaves out trailing arguments that are undefined or empty objects. */
export function tsCall(callee: string, ...args: readonly (string | undefined)[]): string {
  return `${callee}(${args.filter((arg) => arg !== undefined && arg !== '{}').join(', ')})`;
}

export const unicodeEscape = (character: string) =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** Control characters, line ends, byte-order marks, lone surrogates, and marks that change the direction of text. */
export const invisibleCharacters = /[\p{Cc}\p{Cs}\u2028\u2029\uFEFF\u202A-\u202E\u2066-\u2069]/gu;

/** Quotes, backslashes and characters that an editor would not show. */
const special = new RegExp(`['"\\\\]|${invisibleCharacters.source}`, 'gu');

/** Source text that a view has printed. Templates print it without escaping. */
export interface Code {
  readonly [printed]: string;
}

const printed = Symbol('printed');

export const code = (text: string): Code => ({ [printed]: text });

export const isCode = (value: unknown): value is Code =>
  typeof value === 'object' && value !== null && printed in value;

export const sourceText = (value: Code): string => value[printed];

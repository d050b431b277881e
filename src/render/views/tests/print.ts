import type { Model } from '../../../model/app.ts';
import { getId } from '../../../model/lookups.ts';
import { code, type Code, tsKey, tsValue } from '../../typescript.ts';
import type { Values } from './example-values.ts';

export const printEntry = (name: string, value: string) => `${tsKey(name)}: ${value}`;

export const printEntries = (values: Values): readonly string[] =>
  Object.entries(values).map(([name, value]) => printEntry(name, tsValue(value)));

/** A printed property, or an object whose properties are copied. */
export type ObjectPart = string | { readonly copied: string };

export const spread = (copied: string): ObjectPart => ({ copied });

/** Prints an object literal. A copy of a single object is that object. */
export function printObject(parts: readonly ObjectPart[]): string {
  const printed = parts.map((part) => (typeof part === 'string' ? part : `...${part.copied}`));
  return findOnlyCopy(parts) ?? (parts.length === 0 ? '{}' : `{ ${printed.join(', ')} }`);
}

function findOnlyCopy([first, ...others]: readonly ObjectPart[]): string | undefined {
  return others.length === 0 && typeof first === 'object' ? first.copied : undefined;
}

/** Prints an object with a line for each property. Leaves out undefined ones. */
export function printArgument(properties: Readonly<Record<string, string | undefined>>): Code {
  const lines = Object.entries(properties).map(([name, text]) =>
    text === undefined ? '' : `    ${text === name ? name : printEntry(name, text)},\n`,
  );
  return code(`{\n${lines.join('')}  }`);
}

/** Prints an object after an arrow, in parentheses. */
export const printReturned = (parts: readonly ObjectPart[]) =>
  findOnlyCopy(parts) ?? `(${printObject(parts)})`;

/** Prints a function of several statements, as a property of an argument. */
export const printFunction = (head: string, ...lines: readonly string[]) =>
  `${head} {\n${lines.map((line) => `      ${line}\n`).join('')}    }`;

/** `(await api.make.tag())` */
export const printMadeRow = (model: Model) => `(${printMaking(model)})`;

/** `await api.make.tag()` */
export const printMaking = ({ names }: Model, values = '') =>
  `await api.make.${names.variable}(${values})`;

/** Prints the client of a visitor: anonymous, or a new user with the role. */
export function printClient(visitor: string): string {
  if (visitor === 'public') return '() => api.nobody';
  return visitor === 'user' ? '() => api.signIn()' : `() => api.signIn('${visitor}')`;
}

/** Prints an id that no row has. */
export const missingId = (model: Model) =>
  getId(model).type.kind === 'id' ? '999_999_999' : "'00000000-0000-7000-8000-000000000000'";

import type { Model } from '../../../model/app.ts';
import { code, type Code, isCode, type Member, sourceText, tsKey } from '../../typescript.ts';

export const entries = (list: readonly Member[]): Code =>
  printObject(list.map(({ name, value }) => printEntry(name, value)));

export const printEntry = (name: string, value: string) => `${tsKey(name)}: ${value}`;

/** A printed property, or an object whose properties are copied. */
export type ObjectPart = string | { readonly copied: string };

export const spreadOf = (copied: string): ObjectPart => ({ copied });

/** Prints an object literal. A copy of a single object is that object. */
export function printObject(parts: readonly ObjectPart[]): Code {
  const printed = parts.map((part) => (typeof part === 'string' ? part : `...${part.copied}`));
  return code(copiedAlone(parts) ?? (parts.length === 0 ? '{}' : `{ ${printed.join(', ')} }`));
}

function copiedAlone([first, ...others]: readonly ObjectPart[]): string | undefined {
  return others.length === 0 && typeof first === 'object' ? first.copied : undefined;
}

/** Prints an object with a line for each property. Leaves out undefined ones. */
export function printArgument(
  properties: Readonly<Record<string, Code | string | undefined>>,
): Code {
  const lines = Object.entries(properties).flatMap(([name, value]) => {
    const text = isCode(value) ? sourceText(value) : value;
    if (text === undefined) return [];
    return [`    ${text === name ? name : printEntry(name, text)},\n`];
  });
  return code(`{\n${lines.join('')}  }`);
}

/** Prints an object after an arrow, in parentheses. */
export const printReturned = (parts: readonly ObjectPart[]) =>
  copiedAlone(parts) ?? `(${sourceText(printObject(parts))})`;

/** Prints a function of several statements, as a property of an argument. */
export const printFunction = (head: string, ...lines: readonly string[]) =>
  `${head} {\n${lines.map((line) => `      ${line}\n`).join('')}    }`;

/** `(await api.make.tag())` */
export const printMadeRow = (model: Model | undefined) => `(${printMaking(model)})`;

/** `await api.make.tag()` */
export const printMaking = (model: Model | undefined, values = '') =>
  `await api.make.${model?.names.variable ?? ''}(${values})`;

/** Prints the client of a visitor: anonymous, or a new user with the role. */
export function printClient(visitor: string): Code {
  if (visitor === 'public') return code('() => api.nobody');
  return code(visitor === 'user' ? '() => api.signIn()' : `() => api.signIn('${visitor}')`);
}

/** Prints an id that no row has. */
export const missingId = ({ idType }: Pick<Model, 'idType'>) =>
  idType === 'int' ? '999_999_999' : "'00000000-0000-7000-8000-000000000000'";

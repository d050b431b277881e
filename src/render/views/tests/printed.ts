import type { Model } from '../../../model/app.ts';
import { code, type Code, isCode, type Member, sourceText, tsKey } from '../../typescript.ts';

export const entries = (list: readonly Member[]): Code =>
  printObject(list.map(({ name, value }) => entry(name, value)));

export const entry = (name: string, value: string) => `${tsKey(name)}: ${value}`;

/** An entry as it is printed, or the name of an object whose entries are copied. */
export type ObjectPart = string | { readonly copied: string };

export const copyOf = (copied: string): ObjectPart => ({ copied });

/** An object literal; a copy of one object, with nothing else, is that object. */
export function printObject(parts: readonly ObjectPart[]): Code {
  const printed = parts.map((part) => (typeof part === 'string' ? part : `...${part.copied}`));
  return code(copiedAlone(parts) ?? (parts.length === 0 ? '{}' : `{ ${printed.join(', ')} }`));
}

function copiedAlone([first, ...others]: readonly ObjectPart[]): string | undefined {
  return others.length === 0 && typeof first === 'object' ? first.copied : undefined;
}

/** An argument with a line for each property; one that is absent is left out. */
export function argument(properties: Readonly<Record<string, Code | string | undefined>>): Code {
  const lines = Object.entries(properties).flatMap(([name, value]) => {
    const text = isCode(value) ? sourceText(value) : value;
    if (text === undefined) return [];
    return [`    ${text === name ? name : entry(name, text)},\n`];
  });
  return code(`{\n${lines.join('')}  }`);
}

/** The object that a function returns, after its arrow: in parentheses, or it would be taken for its body. */
export const returned = (parts: readonly ObjectPart[]) =>
  copiedAlone(parts) ?? `(${sourceText(printObject(parts))})`;

/** A function of several steps, as a property of an argument. */
export const inSteps = (head: string, ...lines: readonly string[]) =>
  `${head} {\n${lines.map((line) => `      ${line}\n`).join('')}    }`;

/** `(await api.make.tag())` */
export const madeOf = (model: Model | undefined) => `(${makingOf(model)})`;

/** `await api.make.tag()` */
export const makingOf = (model: Model | undefined, values = '') =>
  `await api.make.${model?.names.variable ?? ''}(${values})`;

/** Who calls: nobody, or a new user of the role. */
export function clientOf(visitor: string): Code {
  if (visitor === 'public') return code('() => api.nobody');
  return code(visitor === 'user' ? '() => api.signIn()' : `() => api.signIn('${visitor}')`);
}

/** An id that no row has, as code. */
export const missingId = ({ idType }: Pick<Model, 'idType'>) =>
  idType === 'int' ? '999_999_999' : "'00000000-0000-7000-8000-000000000000'";

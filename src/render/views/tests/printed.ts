import type { Model } from '../../../model/app.ts';
import { code, type Code, isCode, type Member, textOf, tsKey } from '../../typescript.ts';

export const entries = (list: readonly Member[]): Code =>
  objectOf(list.map(({ name, value }) => entry(name, value)));

export const entry = (name: string, value: string) => `${tsKey(name)}: ${value}`;

/** An object literal of entries and spreads; one spread alone is the object itself. */
export function objectOf(parts: readonly string[]): Code {
  const [only = ''] = parts;
  const isCopy = parts.length === 1 && /^\.\.\.\w+$/.test(only);
  return code(isCopy ? only.slice(3) : parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`);
}

/** An argument with a line for each property; one that is absent is left out. */
export function argument(properties: Readonly<Record<string, Code | string | undefined>>): Code {
  const lines = Object.entries(properties).flatMap(([name, value]) => {
    const text = isCode(value) ? textOf(value) : value;
    if (text === undefined) return [];
    return [`    ${text === name ? name : entry(name, text)},\n`];
  });
  return code(`{\n${lines.join('')}  }`);
}

/** What a function returns, after its arrow: an object is not taken for its body. */
export const returned = (value: string) => (value.startsWith('{') ? `(${value})` : value);

/** A function of several steps, as a property of an argument. */
export const inSteps = (head: string, ...lines: readonly string[]) =>
  `${head} {\n${lines.map((line) => `      ${line}\n`).join('')}    }`;

/** `(await api.make.tag())` */
export const madeOf = (model: Model | undefined, values = '') =>
  `(await api.make.${model?.names.variable ?? ''}(${values}))`;

/** Who calls: nobody, or a new user of the role. */
export function clientOf(visitor: string): Code {
  if (visitor === 'public') return code('() => api.nobody');
  return code(visitor === 'user' ? '() => api.signIn()' : `() => api.signIn('${visitor}')`);
}

/** An id that no row has, as code. */
export const missingId = ({ idType }: Pick<Model, 'idType'>) =>
  idType === 'int' ? '999_999_999' : "'00000000-0000-7000-8000-000000000000'";

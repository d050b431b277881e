import { InternalError } from '../errors.ts';
import { isCode, sourceText, tsKey, tsString, unicodeEscape, unseen } from './typescript.ts';

/** What templates may call. Each helper but `plain` makes any text harmless at its destination. */
export const helpers = {
  comment,
  json: jsonString,
  key: tsKey,
  md: markdown,
  plain,
  ts: tsString,
  yaml,
};

/** A name, or code that a view has printed. */
function plain(value: unknown): string {
  if (isCode(value)) return sourceText(value);
  if (typeof value === 'number' || (typeof value === 'string' && name.test(value)))
    return String(value);
  throw new InternalError(`A template prints ${JSON.stringify(value)} without an escaping helper.`);
}

/** Identifiers, folders, tables, URL paths, words in prose: characters that are safe everywhere. */
const name = /^(?:[\p{L}\p{N}_$@./^~-]+(?: [\p{L}\p{N}_$@./^~-]+)*)?$/u;

/** Text inside a `//` or block comment, on one line. A leading `@` would be a tag or a directive. */
export function comment(text: string): string {
  return oneLine(text)
    .replaceAll('*/', '*\\/')
    .replace(/(^| )@/g, '$1\\@');
}

/** A string in a JSON document, quotes included. */
export function jsonString(text: string): string {
  return JSON.stringify(text).replace(unseen, unicodeEscape);
}

/** Text in a paragraph, heading or table cell of a Markdown document. */
export function markdown(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_[\]<>|~&$]/g, '\\$&')
    .replace(/^([#+\-=]|\d+(?=[.)]))/, '\\$1')
    .replace(/^\\(\d+)/, '$1\\');
}

/** A YAML scalar that is read back as this very string. */
export function yaml(text: string): string {
  if (plainYaml.test(text) && !yamlWords.test(text)) return text;
  if (/[\p{Cc}\p{Cs}]|[\u2028\u2029\uFEFF]|'/u.test(text)) return jsonString(text);
  return `'${text}'`;
}

const plainYaml = /^[A-Za-z][\w./-]*(?: [\w./-]+)*$/;
const yamlWords = /^(?:true|false|yes|no|on|off|null|y|n)$/i;

function oneLine(text: string): string {
  return text.replace(unseen, ' ').replace(/\s+/g, ' ').trim();
}

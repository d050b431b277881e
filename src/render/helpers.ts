import { InternalError } from '../errors.ts';
import {
  isCode,
  sourceText,
  tsKey,
  tsString,
  unicodeEscape,
  invisibleCharacters,
} from './typescript.ts';

/** The helpers of templates. Each one except `plain` escapes a text for its destination. */
export const helpers = {
  json: jsonString,
  key: tsKey,
  md: markdown,
  plain,
  ts: tsString,
};

/** Prints a name, or code of a view, without escaping. */
function plain(value: unknown): string {
  if (isCode(value)) return sourceText(value);
  if (typeof value === 'number' || (typeof value === 'string' && name.test(value)))
    return String(value);
  throw new InternalError(`A template prints ${JSON.stringify(value)} without an escaping helper.`);
}

/** Characters that are safe everywhere: of identifiers, folders, tables, URL paths and words. */
const name = /^(?:[\p{L}\p{N}_$@./^~-]+(?: [\p{L}\p{N}_$@./^~-]+)*)?$/u;

/** A text for a comment, on one line. A leading `@` would be a tag or a directive. */
export function comment(text: string): string {
  return oneLine(text)
    .replaceAll('*/', '*\\/')
    .replace(/(^| )@/g, '$1\\@');
}

export function jsonString(text: string): string {
  return JSON.stringify(text).replace(invisibleCharacters, unicodeEscape);
}

/** A text for a paragraph, a heading or a table cell of Markdown. */
export function markdown(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_[\]<>|~&$]/g, '\\$&')
    .replace(/^([#+\-=]|\d+(?=[.)]))/, '\\$1')
    .replace(/^\\(\d+)/, '$1\\');
}

function oneLine(text: string): string {
  return text.replace(invisibleCharacters, ' ').replace(/\s+/g, ' ').trim();
}

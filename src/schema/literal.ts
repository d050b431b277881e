import type { Json, Located } from './schema.ts';
import { jsonOf, type Scope } from './shape.ts';
import type { Part } from './shorthand.ts';
import type { Node } from './source.ts';

const plainNumber = /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/**
 * A default, example or backfill as it travels in JSON. `bigint` and `decimal` travel as texts, so their digits are
 * taken from the file and never pass through a float.
 */
export function literalOf(
  node: Node | undefined,
  type: string,
  scope: Scope,
): Located<Json> | undefined {
  if (node === undefined) return undefined;
  if (node.kind === 'scalar' && typeof node.value === 'number' && isExact(type)) {
    return { value: node.source, at: node.at };
  }
  return { value: jsonOf(node, scope), at: node.at };
}

/** The same from the words of a short form, where only quotes tell a text from a number. */
export function shortLiteral(part: Part & { readonly quoted: boolean }, type: string): Json {
  const { text, quoted } = part;
  if (quoted) return text;
  if (type === 'bool' && (text === 'true' || text === 'false')) return text === 'true';
  if ((type === 'int' || type === 'float') && plainNumber.test(text)) return Number(text);
  return type === 'json' ? parsedJson(text) : text;
}

function parsedJson(text: string): Json {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

function isExact(type: string): boolean {
  return type === 'bigint' || type === 'decimal';
}

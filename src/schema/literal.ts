import { factsOf } from '../types/all.ts';
import type { Json, Located } from './schema.ts';
import { jsonOf, type Scope } from './shape.ts';
import type { Part } from './shorthand.ts';
import type { Node } from './source.ts';

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
  const read = factsOf(type)?.read;
  return quoted || read === undefined ? text : read(text);
}

function isExact(type: string): boolean {
  return factsOf(type)?.exact === true;
}

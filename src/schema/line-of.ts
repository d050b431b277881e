import { readSource } from './read.ts';
import type { SchemaNode } from './source.ts';

/** The line of `Post.title`, `PostStatus` or `app.name`; undefined if the file does not have it. */
export function findLine(text: string, element: string): number | undefined {
  const { root } = readSource(text);
  const [first = '', ...rest] = element.split('.');
  const paths = [
    [first, ...rest],
    ['enums', first],
    ['models', first, ...rest],
    ['models', first, 'fields', ...rest],
    ['models', first, 'relations', ...rest],
  ];
  return root && paths.map((names) => lineBelow(root, names)).find((line) => line !== undefined);
}

function lineBelow(node: SchemaNode, [name, ...rest]: readonly string[]): number | undefined {
  if (node.kind !== 'map') return undefined;
  const entry = node.entries.find((it) => it.name === name);
  return rest.length === 0 ? entry?.key.at.line : entry && lineBelow(entry.value, rest);
}

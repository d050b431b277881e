import { parseAllDocuments } from 'yaml';
import { syntaxTree } from './syntax-tree.ts';

/**
 * What a file says apart from its texts: of two files that differ in data alone, the outlines are equal.
 * Throws when the file is not what its name says.
 */
export function outline(path: string, text: string): unknown {
  const kind = kinds.find(([pattern]) => pattern.test(path));
  return kind === undefined ? text : kind[1](path, text);
}

type Outline = (path: string, text: string) => unknown;

const kinds: readonly (readonly [RegExp, Outline])[] = [
  [/\.ts$/, syntaxTree],
  [/\.json$|^\.(oxlint|prettier)rc/, (_, text) => shape(JSON.parse(text))],
  [/\.ya?ml$/, (_, text) => shape(yamlValues(text))],
  [
    /^\.env/,
    (_, text) => text.split('\n').map((line) => /^(?:[A-Z_]+=|#|$)/.exec(line)?.[0] ?? line),
  ],
  [/\.md$/, (_, text) => markdownBlocks(text)],
  [
    /Dockerfile$/,
    (_, text) => text.split('\n').map((line) => /^(?:[A-Z]+ |#|\s+|$)/.exec(line)?.[0] ?? line),
  ],
  // Run on its engine by the test.
  [/\.sql$/, () => 'sql'],
];

function yamlValues(text: string): unknown[] {
  return parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS();
  });
}

/** Texts and keys become one text: an object keeps how many it has. */
function shape(value: unknown): unknown {
  if (typeof value === 'string') return 'text';
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value !== 'object' || value === null) return value;
  return Object.values(value).map(shape);
}

/** The beginnings of lines that make a heading, a fence, a table, a list, a quote or a comment. */
function markdownBlocks(text: string): string[] {
  return text
    .split('\n')
    .map(
      (line) =>
        /^ {0,3}(#{1,6} |```|~~~|\||[-*+] |> |\d+[.)] |<|===|---|$)/.exec(line)?.[1] ?? 'text',
    );
}

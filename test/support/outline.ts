import { parseEnv } from 'node:util';
import { lexer, type Token } from 'marked';
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
  // As Node reads it for the server.
  [/^\.env/, (_, text) => Object.keys(parseEnv(text))],
  [/\.md$/, (_, text) => markdownParts(lexer(text))],
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

/** What GitHub would make of it: blocks and what is inside of them, down to links, tags and emphasis; of prose, that it is there. */
function markdownParts(tokens: readonly Token[]): unknown[] {
  return tokens.filter(({ type }) => !plain.has(type)).map(markdownPart);
}

const plain = new Set(['text', 'escape', 'space']);

function markdownPart(token: Token): unknown {
  const { type } = token;
  if (type === 'code') return [type, token.lang, token.lang === 'sh' ? 'commands' : token.text];
  if (type === 'heading') return [type, token.depth, ...markdownParts(token.tokens ?? [])];
  if (type === 'list') return [type, token.items.map(markdownPart)];
  if (type === 'table') {
    const rows: { tokens: Token[] }[][] = [token.header, ...token.rows];
    return [type, rows.map((row) => row.map(({ tokens }) => markdownParts(tokens)))];
  }
  const inside = 'tokens' in token ? (token.tokens ?? []) : [];
  return inside.length === 0 ? [type, token.raw] : [type, ...markdownParts(inside)];
}

import type { Labels, Merged, ThreeTexts } from './conflict.ts';
import { mergeTrees } from './keyed/merge-trees.ts';
import type {
  Language,
  List,
  ListRule,
  Names,
  Node,
  Parts,
  Source,
  Token,
  Tree,
} from './keyed/tree.ts';
import { withComments, type Element } from './keyed/trivia.ts';

/** By key, with the order, the comments and the layout of mine; a value that both sides changed is a conflict. */
export function mergeJson(texts: ThreeTexts, labels: Labels): Merged | undefined {
  const [base, mine, theirs] = [texts.base, texts.mine, texts.theirs].map(json.parse);
  if (!base || !mine || !theirs) return undefined;
  return mergeTrees({ base, mine, theirs }, { language: json, labels, renames: new Map() });
}

/** JSON, with comments and trailing commas. It declares no names. */
export const json: Language = {
  parse: parseJson,
  readNames: (text) => parseJson(text)?.names,
};

const noNames: Names = { bound: new Set(), used: new Set(), doubled: [] };

/** The keyed tree of a JSON text, comments and trailing commas allowed; nothing when it is not one. */
function parseJson(text: string): Tree | undefined {
  const source = readJsonTokens(text);
  const tokens = source?.tokens.filter((it) => !/^\/[/*]/.test(it.text)) ?? [];
  const read = source && readValue({ source, tokens }, 0);
  if (!read || read.next !== tokens.length) return undefined;
  const inner = { start: 0, end: text.length };
  const elements = [element('', read.node)];
  const items = withComments(source, elements, whole, inner);
  const root: List = { kind: 'list', rule: whole, inner, ...inner, items };
  return { source: withoutTrailingCommas(source), root, names: noNames };
}

const whole: ListRule = { separator: '', order: 'fixed', byPlace: true, together: false };
const properties: ListRule = { separator: ',', order: 'free', byPlace: false, together: true };
const values: ListRule = { separator: ',', order: 'fixed', byPlace: true, together: true };

interface Reader {
  readonly source: Source;
  readonly tokens: readonly Token[];
}

interface Read<T extends Node> {
  readonly node: T;
  /** The index of the token after it. */
  readonly next: number;
}

function readValue(reader: Reader, at: number): Read<Node> | undefined {
  const token = reader.tokens[at];
  if (!token || /^[\]}:,]/.test(token.text)) return undefined;
  const list = lists[token.text];
  if (list) return readList(reader, at, list);
  return { node: { kind: 'leaf', start: token.start, end: token.end }, next: at + 1 };
}

interface ListKind {
  readonly rule: ListRule;
  readonly close: string;
  readonly read: (reader: Reader, at: number) => Read<Node> | undefined;
}

const lists: Readonly<Record<string, ListKind>> = {
  '{': { rule: properties, close: '}', read: readProperty },
  '[': { rule: values, close: ']', read: readValue },
};

function readList(
  reader: Reader,
  at: number,
  { rule, close, read }: ListKind,
): Read<List> | undefined {
  const { source, tokens } = reader;
  const elements: Element[] = [];
  let next = at + 1;
  while (tokens[next]?.text !== close) {
    const key = tokens[next]?.text ?? '';
    const found = read(reader, next);
    if (!found) return undefined;
    elements.push(element(rule === properties ? key : '', found.node, source));
    next = found.next;
    if (tokens[next]?.text === ',') next += 1;
    else if (tokens[next]?.text !== close) return undefined;
  }
  const { start = 0 } = tokens[at] ?? {};
  const { end = 0 } = tokens[next] ?? {};
  const inner = { start: start + 1, end: end - 1 };
  const items = withComments(source, elements, rule, inner);
  return { node: { kind: 'list', rule, start, end, inner, items }, next: next + 1 };
}

function readProperty(reader: Reader, at: number): Read<Parts> | undefined {
  const [name, colon] = reader.tokens.slice(at);
  const value = readValue(reader, at + 2);
  if (!name?.text.startsWith('"') || colon?.text !== ':' || !value) return undefined;
  const { node, next } = value;
  const key: Node = { kind: 'leaf', start: name.start, end: name.end };
  const parts = [
    { role: 'name', gap: { start: name.start, end: name.start }, node: key },
    { role: 'value', gap: { start: name.end, end: node.start }, node },
  ];
  return {
    node: { kind: 'parts', type: 'property', start: name.start, end: node.end, parts },
    next,
  };
}

/** A property is known by its name, a value by itself. */
function element(key: string, node: Node, source?: Source): Element {
  const text = source?.text.slice(node.start, node.end) ?? '';
  const rest = { binds: [], placed: true, leaves: () => false, unites: false, isHeaded: false };
  const known = key || (node.kind === 'leaf' ? text : '');
  return { key: known, node, ...rest };
}

function withoutTrailingCommas(source: Source): Source {
  const { tokens } = source;
  const solid = tokens.filter(({ text }) => !/^\/[/*]/.test(text));
  const trailing = new Set(
    solid.filter(({ text }, index) => text === ',' && /^[\]}]/.test(solid[index + 1]?.text ?? '')),
  );
  return { ...source, tokens: tokens.filter((it) => !trailing.has(it)) };
}

/** The tokens of a JSON text with comments; nothing when something else stands there. */
function readJsonTokens(text: string): Source | undefined {
  const tokens: Token[] = [];
  let place = 0;
  while (place < text.length) {
    token.lastIndex = place;
    const found = token.exec(text);
    if (!found) return undefined;
    const [all, space = '', raw = ''] = found;
    if (raw) tokens.push({ text: raw, start: place + space.length, end: place + all.length });
    place += all.length;
  }
  return { text, tokens, frozenLines: new Set() };
}

const token =
  /(\s*)("(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[{}[\]:,]|-?\d[\d.eE+-]*|true|false|null|(?<=\s)$)/y;

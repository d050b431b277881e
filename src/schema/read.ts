import {
  Composer,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  Parser,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Position, Problem } from './problem.ts';
import {
  type MapEntry,
  lineTable,
  type LineTable,
  type SchemaNode,
  type ScalarNode,
} from './source.ts';
import { findUnclosed, offsetDeeperThan, findSlip, syntaxProblem } from './syntax-problem.ts';

export interface SchemaSource {
  /** Absent when the text is not one YAML document of plain values. */
  readonly root?: SchemaNode;
  readonly problems: readonly Problem[];
}

/** Bounds that no real schema reaches. */
const maxBytes = 1024 * 1024;
const maxDepth = 64;
const maxAliased = 10_000;

/**
 * Reads YAML 1.2, and so JSON too, as positioned values. A file that does not parse has one problem, the first; one
 * that parses as something other than was meant has just that problem.
 */
export function readSource(text: string): SchemaSource {
  const lines = lineTable(text);
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) {
    const help = 'a schema is a few kilobytes: did you mean another file?';
    return stop('SCF112', lines.at(0, 1), `the file has ${bytes} bytes, more than 1 MiB`, help);
  }
  const tokens = [...new Parser().parse(text)];
  // Before composing, which recurses: V8 aborts the process when a regular expression compiles on a full stack.
  const deep = offsetDeeperThan(maxDepth, tokens);
  if (deep !== undefined) {
    const help = 'a schema needs about seven: is a bracket or an indentation wrong?';
    const message = `values are nested deeper than ${maxDepth} levels`;
    return stop('SCF113', lines.at(deep, deep + 1), message, help);
  }
  const [document, second] = new Composer({ uniqueKeys: false }).compose(tokens, true, text.length);
  const wrong = document?.errors[0] ?? document?.warnings[0];
  if (wrong !== undefined) {
    const slip = findSlip(text, wrong.pos[0], lines);
    return {
      problems: [slip ?? syntaxProblem(wrong, { lines, unclosed: findUnclosed(tokens) })],
    };
  }
  if (second !== undefined) {
    const at = lines.at(second.range[0], second.range[0] + 1);
    const help = 'remove the line `---` and what follows it';
    return stop('SCF115', at, 'the file holds more than one YAML document', help);
  }
  if (!document?.contents) {
    return stop('SCF105', lines.at(0, 1), 'the file is empty', 'start with `version: 1`');
  }
  const reading: Reading = { lines, text, anchors: new Map(), problems: [], aliased: 0 };
  const root = valueOf(document.contents, positionOf(document.contents, lines), reading).node;
  const misread = reading.problems.filter(({ code }) => code === 'SCF101');
  return misread.length > 0 ? { problems: misread } : { root, problems: reading.problems };
}

function stop(code: string, position: Position, message: string, help: string): SchemaSource {
  return { problems: [{ code, severity: 'error', message, position, help }] };
}

/** A converted value and what it costs to repeat it. */
interface Converted {
  readonly node: SchemaNode;
  readonly size: number;
  readonly depth: number;
}

/** YAML's nodes as ours: aliases followed within bounds, keys that are text, texts that every destination can hold. */
interface Reading {
  readonly lines: LineTable;
  readonly text: string;
  readonly anchors: Map<string, Converted>;
  readonly problems: Problem[];
  /** Values that aliases have repeated. */
  aliased: number;
}

function reportIn(
  { problems }: Reading,
  code: string,
  position: Position,
  message: string,
  help: string,
) {
  problems.push({ code, severity: 'error', message, position, help });
}

function valueOf(node: ParsedNode | null, position: Position, reading: Reading): Converted {
  if (node === null) return leaf({ kind: 'scalar', at: position, value: null, source: '' });
  const at = positionOf(node, reading.lines);
  if (isAlias(node)) return resolveAlias(node.source, at, reading);
  const converted = isScalar(node)
    ? leaf(checked(scalarOf(node, at, reading.text), reading))
    : collectionOf(node, at, reading);
  if (node.anchor !== undefined) reading.anchors.set(node.anchor, converted);
  return converted;
}

function resolveAlias(name: string, at: Position, reading: Reading): Converted {
  const anchor = reading.anchors.get(name);
  const nothing = leaf({ kind: 'scalar', at, value: null, source: '' });
  if (anchor === undefined) {
    const message = `the alias \`*${name}\` does not refer to a complete value above it`;
    reportIn(reading, 'SCF114', at, message, `mark that value with \`&${name}\``);
    return nothing;
  }
  const isFirst = reading.aliased <= maxAliased;
  reading.aliased += anchor.size;
  if (reading.aliased <= maxAliased && anchor.depth <= maxDepth) return anchor;
  if (isFirst) {
    const message = `aliases repeat more than ${maxAliased} values`;
    reportIn(reading, 'SCF114', at, message, 'write the values out, or repeat less');
  }
  return nothing;
}

function collectionOf(
  node: YAMLMap.Parsed | YAMLSeq.Parsed,
  at: Position,
  reading: Reading,
): Converted {
  if (node.flow === true) reportSplitValues(node, reading);
  const parts: Converted[] = [];
  const take = (value: ParsedNode | null, position: Position) => {
    const converted = valueOf(value, position, reading);
    parts.push(converted);
    return converted.node;
  };
  const collection: SchemaNode = isMap(node)
    ? { kind: 'map', at, entries: node.items.flatMap((pair) => entryOf(pair, take, reading)) }
    : { kind: 'list', at, items: node.items.map((item) => take(item, at)) };
  return {
    node: collection,
    size: parts.reduce((sum, { size }) => sum + size, 1),
    depth: parts.reduce((deepest, { depth }) => Math.max(deepest, depth), 0) + 1,
  };
}

/** `{ type: decimal(8,2) }` has two entries in YAML. */
function reportSplitValues(node: YAMLMap.Parsed | YAMLSeq.Parsed, reading: Reading): void {
  const values = node.items.map((item) => (isPair(item) ? (item.value ?? item.key) : item));
  for (const [at, value] of values.entries()) {
    if (!isPlainText(value) || !/\([^)]*$/.test(value.value)) continue;
    const rest = values.slice(at + 1);
    const last = rest.find((it) => !isPlainText(it) || it.value.includes(')'));
    if (!isPlainText(last) || /\(.*\)/.test(last.value)) continue;
    const [start, end] = [value.range[0], last.range[1]];
    const [open, close] = isMap(node) ? '{}' : '[]';
    const message = `a comma ends a value inside \`${open} … ${close}\``;
    const help = `put it in quotes: \`'${reading.text.slice(start, end)}'\``;
    reportIn(reading, 'SCF101', reading.lines.at(start, end), message, help);
  }
}

function isPlainText(node: unknown): node is Scalar.Parsed & { value: string } {
  return isScalar(node) && node.type === 'PLAIN' && typeof node.value === 'string';
}

function entryOf(
  { key, value: valueNode }: Pair<ParsedNode, ParsedNode | null>,
  take: (value: ParsedNode | null, position: Position) => SchemaNode,
  reading: Reading,
): MapEntry[] {
  const at = positionOf(key, reading.lines);
  const value = take(valueNode, at);
  if (isScalar(key) && typeof key.value === 'string') {
    return [{ key: checked(scalarOf(key, at, reading.text), reading), name: key.value, value }];
  }
  const written = isScalar(key) ? key.source : '';
  const help = written === '' ? 'write a name before the colon' : `quote it: \`"${written}"\``;
  reportIn(reading, 'SCF116', at, 'a key must be a string', help);
  if (written === '') return [];
  return [{ key: { kind: 'scalar', at, value: written, source: written }, name: written, value }];
}

function checked(scalar: ScalarNode, reading: Reading): ScalarNode {
  const unfit = typeof scalar.value === 'string' ? firstUnfit(scalar.value) : undefined;
  if (unfit !== undefined) {
    const message = `this text contains ${unfit}, which databases and source files cannot hold`;
    reportIn(reading, 'SCF117', scalar.at, message, 'remove that character');
  }
  return scalar;
}

const leaf = (node: ScalarNode): Converted => ({ node, size: 1, depth: 1 });

/** A block is marked at its first token only: its text runs over many lines. */
function positionOf(node: ParsedNode, lines: LineTable): Position {
  const [start, end] = node.range;
  if (isMap(node) && node.flow !== true) return positionOf(node.items[0]?.key ?? node, lines);
  return lines.at(start, isSeq(node) && node.flow !== true ? start + 1 : end);
}

function scalarOf(node: Scalar.Parsed, at: Position, text: string): ScalarNode {
  const [start, end] = node.range;
  const quote = node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE' ? 1 : 0;
  const verbatim =
    text.slice(start + quote, end - quote) === node.value && !node.value.includes('\n');
  return {
    kind: 'scalar',
    at,
    value: isPlainValue(node.value) ? node.value : null,
    source: node.source,
    ...(verbatim ? { column: at.column + quote } : {}),
  };
}

function isPlainValue(value: unknown): value is ScalarNode['value'] {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

const unfitCharacter = /(?![\t\n\r])[\p{Control}\p{Surrogate}]/u;

function firstUnfit(text: string): string | undefined {
  const found = unfitCharacter.exec(text)?.[0].codePointAt(0);
  if (found === undefined) return undefined;
  const code = `U+${found.toString(16).toUpperCase().padStart(4, '0')}`;
  return found < 0xd800 ? `the control character ${code}` : `half of a surrogate pair (${code})`;
}

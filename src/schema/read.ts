import {
  Composer,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  type ParsedNode,
  Parser,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Position, Problem } from './problem.ts';
import { makeReporter, type ReportProblem } from './scope.ts';
import {
  type MapEntry,
  type PositionOf,
  positionsIn,
  type SchemaNode,
  type ScalarNode,
} from './source.ts';
import { offsetDeeperThan, makeSyntaxProblem } from './syntax-problem.ts';

export interface SchemaSource {
  /** Absent if the text is not a single YAML document of plain values. */
  readonly root?: SchemaNode;
  readonly problems: readonly Problem[];
}

/** Limits that no real schema reaches. */
const maxBytes = 1024 * 1024;
const maxDepth = 64;
const maxAliased = 10_000;

const fileStart: Position = { line: 1, column: 1, length: 1 };

/**
 * Reads YAML 1.2, which includes JSON, into values with positions. Returns only the first problem of a file that does
 * not parse, or that parses into something that was not meant.
 */
export function readSource(text: string): SchemaSource {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) {
    const help = 'a schema is a few kilobytes: did you mean another file?';
    return stop('SCF112', fileStart, `the file has ${bytes} bytes, more than 1 MiB`, help);
  }
  const lines = new LineCounter();
  // The parser would miss line ends after a syntax error.
  for (const { index } of text.matchAll(/^|(?<=\n)/g)) lines.addNewLine(index);
  const tokens = [...new Parser().parse(text)];
  const positionOf = positionsIn(text, lines.linePos);
  // Checked before composing, which recurses, because V8 aborts if it has to compile a regular expression on a full
  // stack.
  const deep = offsetDeeperThan(maxDepth, tokens);
  if (deep !== undefined) {
    const help = 'a schema needs about seven: is a bracket or an indentation wrong?';
    const message = `values are nested deeper than ${maxDepth} levels`;
    return stop('SCF113', positionOf(deep, deep + 1), message, help);
  }
  const [document, second] = new Composer({ uniqueKeys: false }).compose(tokens, true, text.length);
  const wrong = document?.errors[0] ?? document?.warnings[0];
  if (wrong !== undefined)
    return { problems: [makeSyntaxProblem(wrong, text, tokens, positionOf)] };
  if (second !== undefined) {
    const at = positionOf(second.range[0], second.range[0] + 1);
    const help = 'remove the line `---` and what follows it';
    return stop('SCF115', at, 'the file holds more than one YAML document', help);
  }
  if (!document?.contents) {
    return stop('SCF105', fileStart, 'the file is empty', 'start with `version: 1`');
  }
  return readRoot(document.contents, text, positionOf);
}

function readRoot(contents: ParsedNode, text: string, positionOf: PositionOf): SchemaSource {
  const problems: Problem[] = [];
  const report = makeReporter(problems);
  const reading: Reading = { text, positionOf, report, anchors: new Map(), aliased: 0 };
  const root = readNode(contents, fileStart, reading);
  const misread = problems.filter(({ code }) => code === 'SCF101');
  return misread.length > 0 ? { problems: misread } : { root, problems };
}

function stop(code: string, position: Position, message: string, help: string): SchemaSource {
  return { problems: [{ code, severity: 'error', message, position, help }] };
}

/** State for reading YAML nodes: follows aliases within limits, and refuses texts that cannot be stored. */
interface Reading {
  readonly text: string;
  readonly positionOf: PositionOf;
  readonly report: ReportProblem;
  readonly anchors: Map<string, SchemaNode>;
  /** How many values aliases have repeated. */
  aliased: number;
}

function readNode(node: ParsedNode | null, around: Position, reading: Reading): SchemaNode {
  if (node === null) return nothingAt(around);
  const at = readPosition(node, reading.positionOf);
  if (isAlias(node)) return resolveAlias(node.source, at, reading);
  const value = isScalar(node) ? readScalar(node, at, reading) : readCollection(node, at, reading);
  if (node.anchor !== undefined) reading.anchors.set(node.anchor, value);
  return value;
}

const nothingAt = (at: Position): ScalarNode => ({ kind: 'scalar', at, value: null, source: '' });

function resolveAlias(name: string, at: Position, reading: Reading): SchemaNode {
  const { anchors, report } = reading;
  const repeated = anchors.get(name);
  if (repeated === undefined) {
    const message = `the alias \`*${name}\` does not refer to a complete value above it`;
    report({ code: 'SCF114', at, message, help: `mark that value with \`&${name}\`` });
    return nothingAt(at);
  }
  if (reading.aliased > maxAliased) return nothingAt(at);
  const { size, depth } = measureExtent(repeated);
  reading.aliased += depth > maxDepth ? maxAliased : size;
  if (reading.aliased <= maxAliased) return repeated;
  const message = `aliases repeat more than ${maxAliased} values`;
  report({ code: 'SCF114', at, message, help: 'write the values out, or repeat less' });
  return nothingAt(at);
}

/** The number of values in a node, and the number of its levels. */
function measureExtent(node: SchemaNode): { readonly size: number; readonly depth: number } {
  if (node.kind === 'scalar') return { size: 1, depth: 1 };
  const values = node.kind === 'list' ? node.items : node.entries.map(({ value }) => value);
  return values
    .map(measureExtent)
    .reduce(
      (all, { size, depth }) => ({ size: all.size + size, depth: Math.max(all.depth, depth + 1) }),
      { size: 1, depth: 1 },
    );
}

function readCollection(
  node: YAMLMap.Parsed | YAMLSeq.Parsed,
  at: Position,
  reading: Reading,
): SchemaNode {
  if (node.flow === true) reportSplitValues(node, reading);
  return isMap(node)
    ? { kind: 'map', at, entries: node.items.flatMap((pair) => readEntry(pair, reading)) }
    : { kind: 'list', at, items: node.items.map((item) => readNode(item, at, reading)) };
}

/** In YAML, `{ type: decimal(8,2) }` has two entries. */
function reportSplitValues(node: YAMLMap.Parsed | YAMLSeq.Parsed, reading: Reading): void {
  const values = node.items.map((item) => (isPair(item) ? (item.value ?? item.key) : item));
  for (const [index, value] of values.entries()) {
    if (!isPlainText(value) || !/\([^)]*$/.test(value.value)) continue;
    const rest = values.slice(index + 1);
    const last = rest.find((it) => !isPlainText(it) || it.value.includes(')'));
    if (!isPlainText(last) || /\(.*\)/.test(last.value)) continue;
    const [start, end] = [value.range[0], last.range[1]];
    const [open, close] = isMap(node) ? '{}' : '[]';
    const message = `a comma ends a value inside \`${open} … ${close}\``;
    const help = `put it in quotes: \`'${reading.text.slice(start, end)}'\``;
    reading.report({ code: 'SCF101', at: reading.positionOf(start, end), message, help });
  }
}

function isPlainText(node: unknown): node is Scalar.Parsed & { value: string } {
  return isScalar(node) && node.type === 'PLAIN' && typeof node.value === 'string';
}

function readEntry(
  { key, value: written }: Pair<ParsedNode, ParsedNode | null>,
  reading: Reading,
): MapEntry[] {
  const at = readPosition(key, reading.positionOf);
  const value = readNode(written, at, reading);
  // `404` and `true` are texts as keys, as in JSON, and so is `""`.
  if (isScalar(key) && (key.source !== '' || key.type !== 'PLAIN')) {
    const name = typeof key.value === 'string' ? key.value : key.source;
    return [{ key: readScalar(key, at, reading), name, value }];
  }
  const help = 'write a name before the colon';
  reading.report({ code: 'SCF116', at, message: 'this key has no name', help });
  return [];
}

/** A block text is marked at its first token only. */
function readPosition(node: ParsedNode, positionOf: PositionOf): Position {
  const [from, to] = node.range;
  if (isMap(node) && node.flow !== true)
    return readPosition(node.items[0]?.key ?? node, positionOf);
  return positionOf(from, isSeq(node) && node.flow !== true ? from + 1 : to);
}

function readScalar(node: Scalar.Parsed, at: Position, { text, report }: Reading): ScalarNode {
  const { value, source, type } = node;
  const [from, to] = node.range;
  const unfit = typeof value === 'string' ? firstUnfit(value) : undefined;
  if (unfit !== undefined) {
    const message = `this text contains ${unfit}, which databases and source files cannot hold`;
    report({ code: 'SCF117', at, message, help: 'remove that character' });
  }
  const quote = type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE' ? 1 : 0;
  const isVerbatim = text.slice(from + quote, to - quote) === value && !value.includes('\n');
  return {
    kind: 'scalar',
    at,
    value: isPlainValue(value) ? value : null,
    source,
    ...(isVerbatim && { column: at.column + quote }),
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

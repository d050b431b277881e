import {
  Composer,
  isAlias,
  isMap,
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
import { type Entry, lineTable, type LineTable, type Node, type ScalarNode } from './source.ts';
import { firstUnclosed, offsetDeeperThan, syntaxProblem } from './syntax-problem.ts';

export interface Source {
  /** Absent when the text is not one YAML document of plain values. */
  readonly root?: Node;
  readonly problems: readonly Problem[];
}

/** Bounds that no honest schema meets. */
const maxBytes = 1024 * 1024;
const maxDepth = 64;
const maxAliased = 10_000;

/** Reads YAML 1.2, and so JSON too, as positioned values. A file that does not parse has one problem: the first. */
export function readSource(text: string): Source {
  const lines = lineTable(text);
  const stop = (code: string, offset: number, message: string, help: string): Source => ({
    problems: [{ code, severity: 'error', message, position: lines.at(offset, offset + 1), help }],
  });

  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) {
    return stop(
      'SCF112',
      0,
      `the file has ${bytes} bytes, more than 1 MiB`,
      'a schema is a few kilobytes: was another file meant?',
    );
  }
  const tokens = [...new Parser().parse(text)];
  // Before composing, which recurses: V8 aborts the process when a regular expression compiles on a full stack.
  const deep = offsetDeeperThan(maxDepth, tokens);
  if (deep !== undefined) {
    return stop(
      'SCF113',
      deep,
      `values are nested deeper than ${maxDepth} levels`,
      'a schema needs about seven: is a bracket or an indentation wrong?',
    );
  }
  const [document, second] = new Composer({ uniqueKeys: false }).compose(tokens, true, text.length);
  const wrong = document?.errors[0] ?? document?.warnings[0];
  if (wrong !== undefined) {
    const marker = /^<{7} [^\n]*\n(?=[^]*^={7}$[^]*^>{7} )/m.exec(text);
    if (marker) {
      return stop(
        'SCF101',
        marker.index,
        'git has left conflict markers here: both branches changed the schema',
        'settle what is between `<<<<<<<` and `>>>>>>>`, and remove the markers',
      );
    }
    const glued = gluedKey(text, wrong.pos[0]);
    if (glued !== undefined) {
      return stop(
        'SCF101',
        glued.offset,
        `no space follows \`${glued.key}\``,
        `write \`${glued.key} …\`, with a space after the colon`,
      );
    }
    return { problems: [syntaxProblem(wrong, { lines, unclosed: firstUnclosed(tokens) })] };
  }
  if (second !== undefined) {
    return stop(
      'SCF115',
      second.range[0],
      'the file holds more than one YAML document',
      'remove the line `---` and what follows it',
    );
  }
  if (!document?.contents) {
    return stop('SCF105', 0, 'the file is empty', 'start with `version: 1`');
  }
  return convert(document.contents, lines, text);
}

/** `name:string` in the line: YAML reads a key only where a space follows the colon. */
function gluedKey(text: string, at: number): { key: string; offset: number } | undefined {
  const from = text.lastIndexOf('\n', at - 1) + 1;
  const [, indent = '', key] = /^(\s*)([A-Za-z_]\w*:)[^\s/:]/.exec(text.slice(from)) ?? [];
  return key === undefined ? undefined : { key, offset: from + indent.length };
}

/** A converted value and what it costs to repeat it. */
interface Converted {
  readonly node: Node;
  readonly size: number;
  readonly depth: number;
}

/** YAML's nodes as ours: aliases followed within bounds, keys that are text, texts that every destination can hold. */
function convert(contents: ParsedNode, lines: LineTable, text: string): Source {
  const anchors = new Map<string, Converted>();
  const problems: Problem[] = [];
  let aliased = 0;

  function report(code: string, position: Position, message: string, help: string): void {
    problems.push({ code, severity: 'error', message, position, help });
  }

  function valueOf(node: ParsedNode | null, position: Position): Converted {
    if (node === null) return leaf({ kind: 'scalar', at: position, value: null, source: '' });
    const at = placeOf(node, lines);
    if (isAlias(node)) return follow(node.source, at);
    const converted = isScalar(node)
      ? leaf(checked(scalarOf(node, at, text)))
      : collectionOf(node, at);
    if (node.anchor !== undefined) anchors.set(node.anchor, converted);
    return converted;
  }

  function follow(name: string, at: Position): Converted {
    const anchor = anchors.get(name);
    const nothing = leaf({ kind: 'scalar', at, value: null, source: '' });
    if (anchor === undefined) {
      report(
        'SCF114',
        at,
        `the alias \`*${name}\` does not refer to a value that ends before it`,
        `mark that value with \`&${name}\``,
      );
      return nothing;
    }
    const isFirst = aliased <= maxAliased;
    aliased += anchor.size;
    if (aliased <= maxAliased && anchor.depth <= maxDepth) return anchor;
    if (isFirst)
      report(
        'SCF114',
        at,
        `aliases repeat more than ${maxAliased} values`,
        'write the values out, or repeat less',
      );
    return nothing;
  }

  function collectionOf(node: YAMLMap.Parsed | YAMLSeq.Parsed, at: Position): Converted {
    const parts: Converted[] = [];
    const take = (converted: Converted) => {
      parts.push(converted);
      return converted.node;
    };
    const collection: Node = isMap(node)
      ? { kind: 'map', at, entries: node.items.flatMap((pair) => entryOf(pair, take)) }
      : { kind: 'list', at, items: node.items.map((item) => take(valueOf(item, at))) };
    return {
      node: collection,
      size: parts.reduce((sum, { size }) => sum + size, 1),
      depth: parts.reduce((deepest, { depth }) => Math.max(deepest, depth), 0) + 1,
    };
  }

  function entryOf(
    pair: Pair<ParsedNode, ParsedNode | null>,
    take: (value: Converted) => Node,
  ): Entry[] {
    const at = placeOf(pair.key, lines);
    const value = take(valueOf(pair.value, at));
    if (isScalar(pair.key) && typeof pair.key.value === 'string') {
      return [{ key: checked(scalarOf(pair.key, at, text)), name: pair.key.value, value }];
    }
    const written = isScalar(pair.key) ? pair.key.source : '';
    const help = written === '' ? 'write a name before the colon' : `quote it: \`"${written}"\``;
    report('SCF116', at, 'a key must be a text', help);
    return written === ''
      ? []
      : [{ key: { kind: 'scalar', at, value: written, source: written }, name: written, value }];
  }

  function checked(scalar: ScalarNode): ScalarNode {
    const unfit = typeof scalar.value === 'string' ? firstUnfit(scalar.value) : undefined;
    if (unfit !== undefined) {
      report(
        'SCF117',
        scalar.at,
        `this text holds ${unfit}, which no database and no source file can carry`,
        'remove that character',
      );
    }
    return scalar;
  }

  const root = valueOf(contents, placeOf(contents, lines)).node;
  return { root, problems };
}

function leaf(node: ScalarNode): Converted {
  return { node, size: 1, depth: 1 };
}

/** A block is marked at its first token only: its text runs over many lines. */
function placeOf(node: ParsedNode, lines: LineTable): Position {
  const [start, end] = node.range;
  if (isMap(node) && node.flow !== true) return placeOf(node.items[0]?.key ?? node, lines);
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

import type { ThreeTexts } from './conflict.ts';
import {
  type Item,
  type Language,
  type List,
  type ListRule,
  type Node,
  noNames,
  type Token,
  type Tree,
  unnamed,
} from './keyed/tree.ts';

/** Settings that are new in theirs, with the comments right above them; nothing else changes. */
export function mergeEnv({ base, mine, theirs }: ThreeTexts): string {
  const known = new Set([...readSettings(base), ...readSettings(mine)].map(({ key }) => key));
  let text = mine;
  let previous = '';
  for (const { key, lines } of readSettings(theirs)) {
    if (!known.has(key)) text = insertAfter(text, previous, lines);
    previous = key;
  }
  return text;
}

interface Known {
  readonly key: string;
  readonly lines: string;
}

function readSettings(text: string): Known[] {
  const settings: Known[] = [];
  let above = '';
  for (const line of text.split('\n')) {
    const key = settingKey(line);
    if (key) settings.push({ key, lines: `${above}${line}` });
    const isComment = !key && line.trimStart().startsWith('#');
    above = isComment ? `${above}${line}\n` : '';
  }
  return settings;
}

/** Below the setting that it follows in theirs, else at the end. */
function insertAfter(text: string, key: string, added: string): string {
  const lines = text.split('\n');
  const at = lines.findLastIndex((line) => settingKey(line) === key);
  if (at >= 0) return lines.toSpliced(at + 1, 0, added).join('\n');
  return `${text.replace(/\n*$/, '\n')}\n${added}\n`;
}

/** Settings by their names, each with the comment right above it; every line is a token. */
export const env: Language = { parse: parseEnv, readNames: () => noNames };

const rule: ListRule = { separator: '', order: 'free', byPlace: false, together: true };

function parseEnv(text: string): Tree {
  const inner = { start: 0, end: text.length };
  const items = readBlocks(text).flatMap(readItems);
  const root: List = { kind: 'list', rule, inner, ...inner, items };
  const tokens = readBlocks(text).flat();
  return { source: { text, tokens, frozenLines: new Set() }, root, names: noNames };
}

/** Lines that no blank line parts. */
function readBlocks(text: string): Token[][] {
  const blocks: Token[][] = [[]];
  for (const { 0: line, index } of text.matchAll(/[^\n]+/g)) {
    const isApart = /\n[ \t]*\n$/.test(text.slice(0, index));
    if (line.trim() === '') continue;
    const token = { text: line.trim(), start: index, end: index + line.trimEnd().length };
    if (isApart) blocks.push([token]);
    else blocks.at(-1)?.push(token);
  }
  return blocks;
}

function readItems(block: readonly Token[]): Item[] {
  const items: Item[] = [];
  let above: Token[] = [];
  for (const line of block) {
    const key = settingKey(line.text);
    if (key === undefined && line.text.startsWith('#')) above.push(line);
    else {
      items.push(item(key ?? line.text, above, line));
      above = [];
    }
  }
  const [first, last] = [above[0], above.at(-1)];
  if (!first || !last) return items;
  const comment = { kind: 'leaf', start: first.start, end: last.end } as const;
  return [...items, itemOf(above.map(({ text }) => text).join('\n'), comment)];
}

function item(key: string, above: readonly Token[], line: Token): Item {
  const { start = line.start } = above[0] ?? {};
  const end = above.at(-1)?.end ?? start;
  const parts = [
    { role: 'comment', gap: { start, end: start }, node: { kind: 'leaf', start, end } },
    {
      role: 'setting',
      gap: { start: end, end: line.start },
      node: { kind: 'leaf', start: line.start, end: line.end },
    },
  ] as const;
  return itemOf(key, { kind: 'parts', type: 'setting', start, end: line.end, parts });
}

function itemOf(key: string, node: Node): Item {
  return { key, node, full: { start: node.start, end: node.end }, ...unnamed };
}

/** The name in `KEY=value`, or in `# KEY=value` for a setting that is off. */
function settingKey(line: string): string | undefined {
  return /^\s*(?:#\s*)?(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=/.exec(line)?.[1];
}

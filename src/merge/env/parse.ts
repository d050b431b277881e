import type { Item, Language, List, ListRule, Names, Node, Token, Tree } from '../keyed/tree.ts';
import { settingKey } from './setting.ts';

/** Settings by their names, each with the comment right above it; every line is a token. */
export const env: Language = { parse: parseEnv, readNames: () => noNames };

const noNames: Names = { bound: new Set(), used: new Set(), doubled: [] };

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
      items.push(item(key ?? line.text, { above, line }));
      above = [];
    }
  }
  const [first, last] = [above[0], above.at(-1)];
  if (!first || !last) return items;
  const comment = { kind: 'leaf', start: first.start, end: last.end } as const;
  return [...items, plain(above.map(({ text }) => text).join('\n'), comment)];
}

interface Setting {
  readonly above: readonly Token[];
  readonly line: Token;
}

function item(key: string, { above, line }: Setting): Item {
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
  return plain(key, { kind: 'parts', type: 'setting', start, end: line.end, parts });
}

function plain(key: string, node: Node): Item {
  const full = { start: node.start, end: node.end };
  const rest = { binds: [], placed: false, leaves: () => false, unites: false };
  return { key, node, full, ...rest };
}

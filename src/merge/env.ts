import type { ThreeTexts } from './conflict.ts';
import {
  type Item,
  type Language,
  type List,
  type ListRule,
  noNames,
  type Span,
  type Token,
  type Tree,
  unnamedItem,
} from './keyed/tree.ts';

/** Adds settings that are new in theirs, with the comments right above them. Nothing else changes. */
export function mergeEnv({ base, ours, theirs }: ThreeTexts): string {
  const known = new Set([...listSettings(base), ...listSettings(ours)].map(({ key }) => key));
  let text = ours;
  let previous = '';
  for (const { key, lines } of listSettings(theirs)) {
    if (!known.has(key)) text = insertAfter(text, previous, lines);
    previous = key;
  }
  return text;
}

interface EnvSetting {
  readonly key: string;
  readonly lines: string;
}

function listSettings(text: string): EnvSetting[] {
  const settings: EnvSetting[] = [];
  let above = '';
  for (const line of text.split('\n')) {
    const key = settingKey(line);
    if (key) settings.push({ key, lines: `${above}${line}` });
    const isComment = !key && line.trimStart().startsWith('#');
    above = isComment ? `${above}${line}\n` : '';
  }
  return settings;
}

/** Inserts lines below a setting, or at the end if the setting does not exist. */
function insertAfter(text: string, key: string, added: string): string {
  const lines = text.split('\n');
  const at = lines.findLastIndex((line) => settingKey(line) === key);
  if (at >= 0) return lines.toSpliced(at + 1, 0, added).join('\n');
  return `${text.replace(/\n*$/, '\n')}\n${added}\n`;
}

/** Merges settings by name. Each line is a token, and a comment belongs to the setting right below it. */
export const envLanguage: Language = { parse: parseEnv, readNames: () => noNames };

const envRule: ListRule = { separator: '', order: 'free', byPosition: false, allowsBothNew: true };

function parseEnv(text: string): Tree {
  const inner = { start: 0, end: text.length };
  const items = readBlocks(text).flatMap(readSettingItems);
  const root: List = { kind: 'list', rule: envRule, inner, ...inner, items };
  const tokens = readBlocks(text).flat();
  return { source: { text, tokens, frozenLines: new Set() }, root, names: noNames };
}

/** Groups lines by the blank lines between them. */
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

function readSettingItems(block: readonly Token[]): Item[] {
  const items: Item[] = [];
  let above: Token[] = [];
  for (const line of block) {
    const key = settingKey(line.text);
    if (key === undefined && line.text.startsWith('#')) above.push(line);
    else {
      items.push(makeSetting(key ?? line.text, line, above[0]?.start));
      above = [];
    }
  }
  const [first, last] = [above[0], above.at(-1)];
  if (!first || !last) return items;
  const comment = { start: first.start, end: last.end };
  return [...items, makeSetting(above.map(({ text }) => text).join('\n'), comment)];
}

/** `start`: where the comment above begins. */
function makeSetting(key: string, node: Span, start = node.start): Item {
  const full = { start, end: node.end };
  return {
    key: { kind: 'setting', name: [key] },
    node: { kind: 'leaf', start: node.start, end: node.end },
    full,
    ...unnamedItem,
  };
}

/** The name in `KEY=value`, or in `# KEY=value` for a setting that is commented out. */
function settingKey(line: string): string | undefined {
  return /^\s*(?:#\s*)?(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=/.exec(line)?.[1];
}

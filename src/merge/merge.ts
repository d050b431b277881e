import type { FileKind, ThreeTexts } from './conflict.ts';
import { isRule, printTable } from '../markdown-table.ts';
import { env } from './env.ts';
import { isEqual } from './keyed/context.ts';
import { mergeTrees } from './keyed/merge-trees.ts';
import { loadTypeScript } from './load-typescript.ts';
import type { Language } from './keyed/tree.ts';
import type { Stretch } from './markers.ts';
import { mergeProse, mergeText } from './text.ts';

interface MergeInput extends ThreeTexts {
  readonly kind: FileKind;
  /** Old names and new ones, in every spelling that the file may use. */
  readonly renames?: ReadonlyMap<string, string>;
}

/** Merges the schema's changes into the user's text; all texts are normalized. */
export async function merge(input: MergeInput): Promise<readonly Stretch[]> {
  const { kind, renames = new Map(), base, mine, theirs } = input;
  if (theirs === base || theirs === mine) return [mine];
  if (mine === base) return [theirs];
  const structured = await mergeStructured(kind, { base, mine, theirs }, renames);
  return structured ?? (kind === 'ts' ? mergeText(input) : mergeProse(input));
}

type Structured = readonly Stretch[] | undefined;

/** By key, with the order, the comments and the layout of mine; a value that both sides changed is a conflict. */
async function mergeStructured(
  kind: FileKind,
  texts: ThreeTexts,
  renames: ReadonlyMap<string, string>,
): Promise<Structured> {
  if (kind === 'markdown') return mergeMarkdown(texts);
  if (kind === 'ts') return (await loadTypeScript()).mergeTypeScript(texts, renames);
  const language = kind === 'env' ? env : await languages[kind]?.();
  const [base, mine, theirs] = [texts.base, texts.mine, texts.theirs].map((it) =>
    language?.parse(it),
  );
  if (!language || !base || !mine || !theirs) return undefined;
  return mergeTrees({ base, mine, theirs }, { language, renames: new Map() });
}

/** Whether mine is the base with another layout and nothing else: every token and comment is the same. */
export async function isReformatted(kind: FileKind, base: string, mine: string): Promise<boolean> {
  const language = await languages[kind]?.();
  const before = language?.parse(base)?.source.tokens;
  const after = language?.parse(mine)?.source.tokens;
  return (
    before !== undefined &&
    after !== undefined &&
    isEqual(
      before.map(({ text }) => text),
      after.map(({ text }) => text),
    )
  );
}

const languages: Partial<Record<FileKind, () => Promise<Language>>> = {
  ts: async () => (await loadTypeScript()).typescript,
  json: async () => (await loadTypeScript()).jsonLanguage,
};

/** Prose by lines; tables by cells, since a wider cell pads all others. A rewritten text stays as the owner has it. */
function mergeMarkdown({ base, mine, theirs }: ThreeTexts): Stretch[] {
  if (isRewritten(base, mine)) return [mine];
  const bare = { base: bareTables(base), mine: bareTables(mine), theirs: bareTables(theirs) };
  const known = new Map(
    [theirs, mine].flatMap((text) =>
      [...(text === mine ? tablesOf(mine) : []), ...rowsOf(text)].map((it) => [bareTables(it), it]),
    ),
  );
  return mergeProse(bare).map((it) => {
    const text = typeof it === 'string' ? it : addedByBoth(it);
    return text === undefined ? it : padTables(text, known);
  });
}

/** Lines that both added at one place follow each other, if all of them differ. */
function addedByBoth({ base, mine, theirs }: ThreeTexts): string | undefined {
  const ours = new Set(mine.split('\n').filter(Boolean));
  const isApart = !theirs.split('\n').some((line) => ours.has(line));
  return base === '' && isApart && theirs.endsWith('\n') ? theirs + mine : undefined;
}

/** Fewer than one line in ten is still there. */
function isRewritten(base: string, mine: string): boolean {
  const kept = new Set(mine.split('\n'));
  const lines = base.split('\n').filter((line) => line.trim() !== '');
  return lines.length >= 10 && lines.filter((line) => kept.has(line)).length < lines.length / 10;
}

const table = /(?:^\|.*\|[ \t]*(?:\n|$))+/gm;

function tablesOf(text: string): readonly string[] {
  return text.match(table) ?? [];
}

function rowsOf(text: string): readonly string[] {
  return tablesOf(text).flatMap((it) => it.trimEnd().split('\n'));
}

function bareTables(text: string): string {
  return text.replace(table, (found) =>
    mapLines(found, (line) => `| ${cellsOf(line).map(bareCell).join(' | ')} |`),
  );
}

/** Tables that mine has as they are in mine, others with cells of one width; what is not a whole table, row by row. */
function padTables(text: string, known: ReadonlyMap<string, string>): string {
  return text.replace(table, (found) => {
    const isWhole = found.split('\n').slice(1, 2).flatMap(cellsOf).some(isRule);
    if (isWhole)
      return (
        known.get(found) ??
        `${printTable(found.trimEnd().split('\n').map(cellsOf))}${/\n?$/.exec(found)?.[0] ?? ''}`
      );
    return mapLines(found, (row) => known.get(row) ?? row);
  });
}

function cellsOf(line: string): string[] {
  return line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

function bareCell(cell: string): string {
  return isRule(cell) ? cell.replace(/-+/, '---') : cell;
}

function mapLines(text: string, change: (line: string) => string): string {
  return text.replace(/.+/g, change);
}

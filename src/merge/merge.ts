import type { FileKind, ThreeTexts } from './conflict.ts';
import { isRule, printTable } from '../markdown-table.ts';
import { envLanguage } from './env.ts';
import { isEqual } from './keyed/context.ts';
import { mergeTrees } from './keyed/merge-trees.ts';
import { loadTypeScript } from './load-typescript.ts';
import type { Renames } from './keyed/rename.ts';
import type { Language } from './keyed/tree.ts';
import type { Chunk } from './markers.ts';
import { mergeProse, mergeText } from './text.ts';

/** Merges a new version into the owner's text. All texts are normalized. `renames`: new names in every spelling. */
export async function merge({
  kind,
  renames = new Map(),
  ...texts
}: ThreeTexts & { readonly kind: FileKind; readonly renames?: Renames }): Promise<
  readonly Chunk[]
> {
  const { base, ours, theirs } = texts;
  if (theirs === base || theirs === ours) return [ours];
  if (ours === base) return [theirs];
  const structured = await mergeStructured(kind, texts, renames);
  return structured ?? (kind === 'ts' ? mergeText(texts) : mergeProse(texts));
}

/** Undefined if the file is merged by lines: its kind has no structure, or a text has syntax errors. */
async function mergeStructured(
  kind: FileKind,
  texts: ThreeTexts,
  renames: Renames,
): Promise<readonly Chunk[] | undefined> {
  if (kind === 'markdown') return mergeMarkdown(texts);
  if (kind === 'ts') return (await loadTypeScript()).mergeTypeScript(texts, renames);
  const language = kind === 'env' ? envLanguage : await languages[kind]?.();
  const [base, ours, theirs] = [texts.base, texts.ours, texts.theirs].map((it) =>
    language?.parse(it),
  );
  if (!language || !base || !ours || !theirs) return undefined;
  return mergeTrees({ base, ours, theirs }, { language, renames: new Map() });
}

/** Whether a text has the same tokens and comments as the base, in another layout or in the owner's forms. */
export async function isReformatted(kind: FileKind, base: string, ours: string): Promise<boolean> {
  const language = await languages[kind]?.();
  const texts = { base, ours, theirs: base };
  const made = kind === 'ts' ? (await loadTypeScript()).inOwnerForms(texts, 'base') : base;
  const before = language?.parse(made)?.source.tokens;
  const after = language?.parse(ours)?.source.tokens;
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

/** Merges prose by lines and tables by cells. A rewritten text stays as it is. */
function mergeMarkdown({ base, ours, theirs }: ThreeTexts): Chunk[] {
  if (isRewritten(base, ours)) return [ours];
  const bare = { base: bareTables(base), ours: bareTables(ours), theirs: bareTables(theirs) };
  const known = new Map(
    [theirs, ours].flatMap((text) =>
      [...(text === ours ? tablesIn(ours) : []), ...readRows(text)].map((it) => [
        bareTables(it),
        it,
      ]),
    ),
  );
  return mergeProse(bare).map((it) => {
    const text = typeof it === 'string' ? it : addedByBoth(it);
    return text === undefined ? it : padTables(text, known);
  });
}

/** If both sides added different lines at the same place, keeps both. */
function addedByBoth({ base, ours, theirs }: ThreeTexts): string | undefined {
  const ourLines = new Set(ours.split('\n').filter(Boolean));
  const isApart = !theirs.split('\n').some((line) => ourLines.has(line));
  return base === '' && isApart && theirs.endsWith('\n') ? theirs + ours : undefined;
}

/** Whether fewer than one line in ten is left. */
function isRewritten(base: string, ours: string): boolean {
  const kept = new Set(ours.split('\n'));
  const lines = base.split('\n').filter((line) => line.trim() !== '');
  return lines.length >= 10 && lines.filter((line) => kept.has(line)).length < lines.length / 10;
}

const tablePattern = /(?:^\|.*\|[ \t]*(?:\n|$))+/gm;

function tablesIn(text: string): readonly string[] {
  return text.match(tablePattern) ?? [];
}

function readRows(text: string): readonly string[] {
  return tablesIn(text).flatMap((it) => it.trimEnd().split('\n'));
}

function bareTables(text: string): string {
  return text.replace(tablePattern, (found) =>
    mapLines(found, (line) => `| ${splitRow(line).map(bareCell).join(' | ')} |`),
  );
}

/** Restores the cell widths of the tables that did not change, and of single rows. */
function padTables(text: string, known: ReadonlyMap<string, string>): string {
  return text.replace(tablePattern, (found) => {
    const isWhole = found.split('\n').slice(1, 2).flatMap(splitRow).some(isRule);
    if (isWhole)
      return (
        known.get(found) ??
        `${printTable(found.trimEnd().split('\n').map(splitRow))}${/\n?$/.exec(found)?.[0] ?? ''}`
      );
    return mapLines(found, (row) => known.get(row) ?? row);
  });
}

function splitRow(line: string): string[] {
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

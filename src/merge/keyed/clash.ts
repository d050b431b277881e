import type { Context, Side } from './context.ts';
import { indented } from './indent.ts';
import { lines } from '../text.ts';
import type { Clash } from './pieces.ts';
import type { Item } from './tree.ts';
import { stepTo } from './where.ts';

interface ClashPrint {
  readonly clash: Clash;
  readonly gap: string;
  readonly separator: string;
  readonly indent: string;
  readonly where: string;
}

/** A conflict on lines of its own, without the lines that all three sides share at its ends. */
export function printClash(
  context: Context,
  { clash, gap, separator, indent, where }: ClashPrint,
): string {
  const print = (side: Side) => printSide(context, { side, item: clash[side], separator, indent });
  const [base, mine, theirs] = [lines(print('base')), lines(print('mine')), lines(print('theirs'))];
  const shortest = Math.min(base.length, mine.length, theirs.length);
  const isShared = (index: number) =>
    mine.at(index) === base.at(index) && mine.at(index) === theirs.at(index);
  let head = 0;
  while (head < shortest && isShared(head)) head += 1;
  let foot = 0;
  while (foot < shortest - head && isShared(-1 - foot)) foot += 1;
  const rest = (all: readonly string[]) => all.slice(head, all.length - foot).join('');
  const { key } = clash.mine ?? clash.theirs ?? clash.base ?? { key: '' };
  const mark = context.report({
    where: stepTo(where, key),
    base: rest(base),
    mine: rest(mine),
    theirs: rest(theirs),
  });
  const start = gap.replace(/[ \t]*$/, '');
  const end = mine.slice(mine.length - foot).join('');
  const text = `${mine.slice(0, head).join('')}${mark}\n${end}`;
  return start + text.replace(/\n$/, '');
}

interface SidePrint {
  readonly side: Side;
  readonly item: Item | undefined;
  readonly separator: string;
  readonly indent: string;
}

function printSide({ sources }: Context, { side, item, separator, indent }: SidePrint): string {
  if (!item) return '';
  const text = indented(sources[side], item.full, indent);
  return `${indent}${text}${item.separator ? '' : separator}\n`;
}

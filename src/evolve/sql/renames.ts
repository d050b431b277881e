import type { Pair } from '../pairs.ts';
import { asideName, identifierSql } from './sql-text.ts';
import { alterTable } from './statements.ts';

type NamePair = Pair<{ readonly name: string }>;

/** `rename` makes a statement of two names, as SQL has them. */
export function renameAll(
  things: readonly NamePair[],
  rename: (from: string, to: string) => string,
): readonly string[] {
  const names = things.map(({ before, after }) => ({ from: before.name, to: after.name }));
  return renameSteps(names).map(({ from, to }) => rename(identifierSql(from), identifierSql(to)));
}

export function renameTables(tables: readonly NamePair[]): readonly string[] {
  return renameAll(tables, (from, to) => `ALTER TABLE ${from} RENAME TO ${to};`);
}

export function renameColumns(table: string, columns: readonly NamePair[]): readonly string[] {
  return renameAll(columns, (from, to) => alterTable(table, `RENAME COLUMN ${from} TO ${to}`));
}

type RenameStep = Readonly<Record<'from' | 'to', string>>;

/** Renames each thing when its new name is free; circles, and changes of case only, take a temporary name. */
export function renameSteps(renames: readonly RenameStep[]): readonly RenameStep[] {
  const steps: RenameStep[] = [];
  let waiting = renames.filter(({ from, to }) => from !== to);
  while (waiting.length > 0) {
    const taken = new Set(waiting.map(({ from }) => from.toLowerCase()));
    const next = waiting.find(({ to }) => !taken.has(to.toLowerCase())) ?? waiting[0];
    if (next === undefined) break;
    const others = waiting.filter((it) => it !== next);
    const isFree = !taken.has(next.to.toLowerCase());
    const aside = asideName(next.from);
    steps.push(isFree ? next : { from: next.from, to: aside });
    waiting = isFree ? others : [...others, { from: aside, to: next.to }];
  }
  return steps;
}

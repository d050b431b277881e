import type { MomentColumn } from '../../types/found-columns.ts';
import { momentColumn } from '../storage.ts';
import type { FoundTable } from './catalogue.ts';
import { idOf } from './names.ts';

/** What tables of PostgreSQL are made of: what most of it is, is said once. */
export const storageIn = (tables: readonly FoundTable[]) => ({
  moments: tables.flatMap(momentsIn),
  small: tables.flatMap(smallIds),
  unordered: tables.flatMap(unorderedTexts),
  bare: tables.flatMap(bareIndexes),
});

function momentsIn({ columns }: FoundTable): readonly MomentColumn[] {
  return columns.flatMap(({ type }) => {
    const [, digits, zone] = /^timestamp(?:\((\d)\))? (with(?:out)?) time zone$/.exec(type) ?? [];
    return zone === undefined ? [] : [momentColumn(zone === 'with', digits)];
  });
}

function smallIds(table: FoundTable): readonly boolean[] {
  const id = idOf(table);
  return id !== undefined && /int/.test(id.type) ? [id.type === 'integer'] : [];
}

function unorderedTexts({ columns }: FoundTable): readonly boolean[] {
  return columns.flatMap(({ collation }) => collation ?? []).map((it) => it === 'default');
}

function bareIndexes(table: FoundTable): readonly boolean[] {
  const id = idOf(table)?.name;
  const plain = table.indexes.filter(({ isUnique, method }) => !isUnique && method === 'btree');
  // Prisma puts it nowhere by itself.
  const isBare = table.stored !== undefined;
  return plain.map(({ keys }) => isBare || !keys.some(({ column }) => column === id));
}

import { longestKey } from '../../types/keys.ts';
import type { DraftModel } from '../draft.ts';
import type { Notebook } from '../notes.ts';
import type { FoundColumn, FoundTable } from './catalogue.ts';
import { idOf } from './names.ts';
import type { ColumnRules } from './rules.ts';

export function noteKey(table: FoundTable, id: FoundColumn | undefined, notes: Notebook): void {
  const is64 =
    id === undefined || !/^(?:integer|smallint)$/.test(id.type) || table.isStrict !== undefined;
  const isAlone = table.primaryKey.join() === id?.name;
  if (id !== undefined && !isAlone) {
    const what = `${table.name}.id, ${table.primaryKey.length > 0 ? 'in a key of several columns' : 'no primary key'}`;
    notes.changed(table.name, what, 'the key by itself');
  } else if (id !== undefined && is64) notes.exact();
  else if (id !== undefined)
    notes.changed(table.name, `${table.name}.${id.name} ${id.type}`, 'a number of 64 bits');
  else {
    const was =
      table.primaryKey.length > 0
        ? `primary key (${table.primaryKey.join(', ')})`
        : 'no primary key';
    notes.changed(table.name, `${table.name}, ${was}`, 'an `id` of its own');
  }
}

/** Whoever signs up has no id to send. In a database of ours, clients give those texts whose length a check bounds. */
export function kindOf(
  id: FoundColumn | undefined,
  { shape, most }: ColumnRules,
  { isUser, isKnown }: { readonly isUser: boolean; readonly isKnown: boolean },
): DraftModel['id'] {
  if (id === undefined || /int/.test(id.type)) return undefined;
  if (id.type === 'uuid' || shape === 'uuid') return 'uuid';
  if (isKnown ? most === undefined : isUser) return 'cuid';
  const [, size = longestKey] = /char.*\((\d+)\)/.exec(id.type) ?? [];
  const max = most ?? Number(size);
  return max < longestKey ? { type: 'text', max } : 'text';
}

const momentType = /^(?:timestamp|datetime|text)/;

export function timesOf({ columns }: FoundTable, notes: Notebook) {
  const find = (form: RegExp) =>
    columns.find(({ name, type }) => form.test(name) && momentType.test(type));
  const [created, updated] = [
    find(/^(?:created|inserted)(?:_?at|_?on)?$/i),
    find(/^(?:updated|modified|changed)(?:_?at|_?on)?$/i),
  ];
  for (const time of [created, updated]) {
    if (time !== undefined) notes.exact();
  }
  return { created, updated };
}

/** Where what is unique is so among the rows that are not deleted. */
export function softDeleteOf(table: FoundTable): FoundColumn | undefined {
  const { columns, indexes, primaryKey } = table;
  const time = columns.find(
    ({ name, nullable, type }) =>
      /^(?:deleted|removed|discarded|trashed)_?(?:at|on)$/i.test(name) &&
      nullable &&
      momentType.test(type),
  );
  const isAmongLiving = indexes
    .filter(({ isUnique }) => isUnique)
    .every(({ where = '' }) =>
      where.replaceAll(/["()]/g, '').toLowerCase().includes(`${time?.name.toLowerCase()} is null`),
    );
  const isOfAll = primaryKey.length > 0 && primaryKey.join() !== idOf(table)?.name;
  return isAmongLiving && !isOfAll ? time : undefined;
}

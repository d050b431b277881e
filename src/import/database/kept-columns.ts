import { longestKey } from '../../types/keys.ts';
import { columnName } from '../../schema/rules/member-facts.ts';
import type { Naming } from '../../schema/language.ts';
import type { DraftModel } from '../draft.ts';
import { legalName } from '../legal-name.ts';
import {
  type FoundColumn,
  type FoundTable,
  columnWritten,
  storedName,
  writtenOf,
} from './catalogue.ts';
import { idOf, mayBeId } from './names.ts';
import type { Scope } from './relations.ts';
import type { ColumnRules } from './rules.ts';

export function noteKey(
  table: FoundTable,
  id: FoundColumn | undefined,
  { notes, areSmall }: Pick<Scope, 'notes' | 'areSmall'>,
): void {
  const { primaryKey } = table;
  if (id === undefined) {
    const [place, what] = writtenOf(table);
    const was = primaryKey.length > 0 ? `primary key (${primaryKey.join(', ')})` : 'no primary key';
    return notes.changed(place, `${what}, ${was}`, 'an `id` of its own');
  }
  const became = whatBecame(table, id, areSmall);
  if (became === undefined) notes.exact();
  else notes.changed(...columnWritten(table, id), became);
}

function whatBecame(table: FoundTable, id: FoundColumn, areSmall: boolean): string | undefined {
  if (table.primaryKey.join() !== id.name) return 'the key by itself';
  if (table.stored !== undefined && id.name !== 'id') return '`id`, in the same column';
  if (storedName(id) !== 'id' && !mayBeId(id, table)) return 'its column is called `id`';
  const isSmall = /^(?:integer|smallint)$/.test(id.type);
  if (table.isStrict !== undefined || isSmall === areSmall || !/int/.test(id.type))
    return undefined;
  return `a number of ${areSmall ? 32 : 64} bits`;
}

/** Whoever signs up has no id to send. In a database of ours, clients give those texts whose length a check bounds. */
export function kindOf(
  id: FoundColumn | undefined,
  { shape, most }: ColumnRules,
  { isUser, isKnown }: { readonly isUser: boolean; readonly isKnown: boolean },
): DraftModel['id'] {
  if (id === undefined || !/char|text|uuid/.test(id.type)) return undefined;
  if (id.type === 'uuid' || shape === 'uuid') return 'uuid';
  if (id.made !== undefined) return id.made;
  if (isKnown ? most === undefined : isUser) return 'cuid';
  const [, size = longestKey] = /char.*\((\d+)\)/.exec(id.type) ?? [];
  const max = most ?? Number(size);
  return max < longestKey ? { type: 'text', max } : 'text';
}

const momentType = /^(?:timestamp|datetime|text)/;

/** The times that the server keeps by itself: Prisma says which they are, a database names them. */
export function timesOf(table: FoundTable, { naming, notes }: Pick<Scope, 'naming' | 'notes'>) {
  const find = (role: 'created' | 'updated', form: RegExp): FoundTime | undefined => {
    const column = table.columns.find((it) =>
      table.stored === undefined
        ? form.test(it.name) && momentType.test(it.type)
        : it.role === role,
    );
    if (column === undefined) return undefined;
    const name = timeName(column, naming);
    const losses = [
      ...(name === column.name ? [] : [`\`${name}\`, as its column`]),
      ...(columnName(name, naming) === storedName(column)
        ? []
        : [`its column is called \`${columnName(name, naming)}\``]),
    ];
    if (losses.length === 0) notes.exact();
    else notes.changed(...columnWritten(table, column), losses.join('; '));
    return { name, column: column.name, nullable: column.nullable };
  };
  return {
    created: find('created', /^(?:created|inserted)(?:_?at|_?on)?$/i),
    updated: find('updated', /^(?:updated|modified|changed)(?:_?at|_?on)?$/i),
  };
}

interface FoundTime {
  readonly name: string;
  readonly column: string;
  readonly nullable: boolean;
}

/** Its column is named after it: so it is called as that is, where another case than that of most would have to be. */
function timeName(column: FoundColumn, naming: Naming): string {
  const stored = storedName(column);
  if (columnName(column.name, naming) === stored) return column.name;
  const mayBe = legalName(stored) === stored && columnName(stored, naming) === stored;
  return mayBe ? stored : column.name;
}

/** Where what is unique is so among the rows that are not deleted. */
export function softDeleteOf(table: FoundTable): FoundColumn | undefined {
  const { columns, indexes, primaryKey } = table;
  if (table.stored !== undefined) return undefined;
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

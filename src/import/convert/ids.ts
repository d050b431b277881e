import { longestKey } from '../../types/keys.ts';
import type { DraftModel } from '../draft.ts';
import {
  type FoundColumn,
  type FoundTable,
  columnPlace,
  storedName,
  placeOf,
} from '../catalogue.ts';
import { findKeyColumn, mayBeId } from './names.ts';
import type { ImportScope } from './scope.ts';
import type { ColumnRules } from './rules.ts';
import { isOurDatabase } from './user.ts';

/** Notes what the primary key becomes. */
export function noteKey(table: FoundTable, scope: ImportScope): void {
  const { notes } = scope;
  const { primaryKey } = table;
  const id = findKeyColumn(table);
  if (id === undefined) {
    const [place, what] = placeOf(table);
    const was = primaryKey.length > 0 ? `primary key (${primaryKey.join(', ')})` : 'no primary key';
    return notes.note('changed', place, `${what}, ${was}`, 'an `id` of its own');
  }
  notes.note('changed', ...columnPlace(table, id), whatBecame(table, id, scope));
}

function whatBecame(
  table: FoundTable,
  id: FoundColumn,
  { storage, catalogue }: ImportScope,
): string | undefined {
  if (table.primaryKey.join() !== id.name) return 'the key by itself';
  if (table.stored !== undefined && id.name !== 'id') return '`id`, in the same column';
  if (storedName(id) !== 'id' && !mayBeId(id, table)) return 'its column is called `id`';
  if (!/int|char|text|uuid/.test(id.type)) return 'a number that the database counts';
  const isSmall = /^(?:integer|smallint)$/.test(id.type);
  const areSmall = storage.keys === 'int';
  if (catalogue.engine === 'sqlite' || isSmall === areSmall || !/int/.test(id.type))
    return undefined;
  return `a ${areSmall ? 32 : 64}-bit number`;
}

/** The kind of the `id`, and its column if that has another name. */
export function idOfModel(
  table: FoundTable,
  rules: ReadonlyMap<string, ColumnRules>,
  { catalogue, names }: ImportScope,
): DraftModel['id'] {
  const id = findKeyColumn(table);
  if (id === undefined) return undefined;
  const isUser = names.get(table.name) === 'User';
  const kind = idKind(id, rules.get(id.name) ?? {}, { isUser, isKnown: isOurDatabase(catalogue) });
  const column = storedName(id);
  if (column === 'id' || !mayBeId(id, table)) return kind;
  return { ...(typeof kind === 'string' ? { type: kind } : kind), column };
}

/** The kind of an id. Users send no id at sign-up. In our own databases, a check limits ids that clients send. */
function idKind(
  { type, made }: FoundColumn,
  { shape, most }: ColumnRules,
  { isUser, isKnown }: { readonly isUser: boolean; readonly isKnown: boolean },
): DraftModel['id'] {
  if (!/char|text|uuid/.test(type)) return undefined;
  if (type === 'uuid' || shape === 'uuid') return 'uuid';
  if (made !== undefined) return made;
  if (isKnown ? most === undefined : isUser) return 'cuid';
  const [, size = longestKey] = /char.*\((\d+)\)/.exec(type) ?? [];
  const max = most ?? Number(size);
  return max < longestKey ? { type: 'text', max } : 'text';
}

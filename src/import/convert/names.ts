import { singularName, takenTypes, typeNameLike } from '../../naming/name.ts';
import { tokenVersion } from '../../schema/internal-tables.ts';
import { type FoundColumn, type FoundKey, type FoundTable, storedName } from '../catalogue.ts';

/** Whether a table has two keys and nothing else. */
export function isJoin(table: FoundTable, tables: readonly FoundTable[]): boolean {
  if (table.isJoin !== undefined) return table.isJoin;
  const { columns, primaryKey, foreignKeys, indexes } = table;
  const keyed = foreignKeys.filter((key) => key.columns.length === 1 && leadsToId(key, tables));
  const names = columns.map(({ name }) => name);
  const uniques = indexes
    .filter(({ isUnique, where }) => isUnique && where === undefined)
    .map(({ keys }) => keys.map(({ column }) => column));
  const isPair = (key: readonly (string | null)[]) =>
    key.length === 2 && names.every((name) => key.includes(name));
  return (
    names.length === 2 &&
    [primaryKey, ...uniques].some(isPair) &&
    names.every((name) => keyed.some((key) => key.columns[0] === name))
  );
}

/** The column that identifies a row: the single column of the primary key, unless it is a foreign key, or else `id`. */
export function findKeyColumn(table: FoundTable): FoundColumn | undefined {
  const { columns, primaryKey, foreignKeys } = table;
  const [name, ...more] = primaryKey;
  const isKey = (column: FoundColumn) =>
    column.name === name && more.length === 0 && isIdType(column) && mayBeId(column, table);
  const leadsOn = (column: FoundColumn) =>
    foreignKeys.some((key) => key.columns.join() === column.name);
  const free = columns.filter((column) => !leadsOn(column));
  return free.find(isKey) ?? free.find((column) => column.name === 'id');
}

/** A number that people enter is no id. */
const isIdType = ({ type, isCounted }: FoundColumn) =>
  isCounted === true || /char|text|uuid/.test(type);

/** Whether a column may hold ids of a model. */
export function mayBeId(column: FoundColumn, table: FoundTable): boolean {
  const stored = storedName(column);
  return !isUserTable(table) && legalName(stored) === stored;
}

export function leadsToId({ table, targets }: FoundKey, tables: readonly FoundTable[]): boolean {
  const there = tables.find(({ name }) => name === table);
  const key = targets.length > 0 ? targets : there?.primaryKey;
  return there !== undefined && key?.join() === findKeyColumn(there)?.name;
}

/** Names of models: `order_items` becomes `OrderItem`. */
export function modelNames(
  tables: readonly FoundTable[],
  joins: readonly FoundTable[],
): ReadonlyMap<string, string> {
  const user = tables.find(isUserTable);
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const table of tables) {
    // The key of a join table has the name of the model.
    const key = joins.map(({ columns: [first], foreignKeys }) =>
      foreignKeys.find((it) => it.columns[0] === first?.name),
    );
    const own = key
      .flatMap((it) => (it?.table === table.name ? it.columns : []))
      .find((column) => withoutKeyEnding(column) !== column);
    const written = own === undefined ? table.name : withoutKeyEnding(own);
    const free = () => freeName(written, { taken, hasUser: user !== undefined });
    const name = table === user ? 'User' : table.stored === undefined ? free() : table.name;
    taken.add(name.toLowerCase());
    names.set(table.name, name);
  }
  return names;
}

function isUserTable({ name, stored, columns }: FoundTable): boolean {
  if (stored !== undefined) return name === 'User';
  return /^(?:auth_)?users?$/i.test(name) || columns.some((it) => it.name === tokenVersion);
}

function freeName(
  table: string,
  { taken, hasUser }: { readonly taken: ReadonlySet<string>; readonly hasUser: boolean },
): string {
  const many = typeNameLike(legalName(table));
  const letters = singularName(many) ?? many;
  const name = /^[A-Za-z]/.test(letters) ? letters : `Table${letters}`;
  const isTaken =
    taken.has(name.toLowerCase()) || takenTypes.has(name) || (hasUser && name === 'User');
  return isTaken ? `${name}Row` : name;
}

export const withoutKeyEnding = (column: string) => column.replace(/_id$|I[dD]$/, '');

/** Words that begin with a letter, with single `_` between them. */
export const legalName = (name: string) =>
  name
    .replaceAll(/[^A-Za-z0-9_]/g, '_')
    .replaceAll(/__+/g, '_')
    .replaceAll(/^[_\d]+|_+$/g, '');

import { pairById } from '../../../evolve/pairs.ts';
import { loadTypeScript } from '../../../merge/load-typescript.ts';
import type { Query } from '../../../merge/typescript/queries.ts';
import type { App, Model } from '../../../model/app.ts';
import { findFieldByRole } from '../../../model/lookups.ts';
import type { OwnText } from './owner-code.ts';
import { type CodePlace, placeAt } from './places.ts';

/** A query of the owner's that compiles, but does not do what it did before the schema changed. */
export interface ChangedQuery extends CodePlace {
  readonly message: string;
  readonly isError: boolean;
}

export async function listChangedQueries(
  own: readonly OwnText[],
  before: App,
  after: App,
): Promise<readonly ChangedQuery[]> {
  const known = listKnownTables(before, after);
  const changed = known
    .filter(({ newColumns, deletedAt }) => deletedAt !== undefined || newColumns.length > 0)
    .flatMap(({ names }) => names);
  const named = own.filter(({ text }) => changed.some((it) => text.includes(it)));
  if (named.length === 0) return [];
  const { readQueries } = await loadTypeScript();
  return named.flatMap(({ path, text, rendered }) => {
    const made = withoutSpaces(rendered);
    return readQueries(path, text)
      .filter((query) => !made.includes(withoutSpaces(query.text)))
      .flatMap((query) => [...findSharedNames(query, known), ...findDeletedRows(query, known)])
      .map(({ offset, ...it }) => ({ ...it, path, ...placeAt(text, offset) }));
  });
}

const withoutSpaces = (text: string) => text.replaceAll(/\s/g, '');

interface KnownTable {
  /** Before and after. */
  readonly names: readonly string[];
  readonly columns: readonly string[];
  /** Columns that had another name or did not exist. */
  readonly newColumns: readonly string[];
  /** Those that did not exist. */
  readonly added: readonly string[];
  /** What marks deleted rows, if they were removed until now. */
  readonly deletedAt: string | undefined;
}

const columnsOf = ({ fields }: Pick<Model, 'fields'>) => fields.map(({ column }) => column);

function listKnownTables(before: App, after: App): readonly KnownTable[] {
  return pairById(before.models, after.models).kept.map((pair) => {
    const was = new Set(columnsOf(pair.before));
    const columns = columnsOf(pair.after);
    const ids = new Set(pair.before.fields.map(({ id }) => id));
    const isNewlyMarked = findFieldByRole(pair.before, 'deleted_at') === undefined;
    return {
      names: [pair.before.table, pair.after.table],
      columns,
      newColumns: columns.filter((it) => !was.has(it)),
      added: columnsOf({ fields: pair.after.fields.filter(({ id }) => !ids.has(id)) }),
      deletedAt: isNewlyMarked ? findFieldByRole(pair.after, 'deleted_at')?.column : undefined,
    };
  });
}

interface ChangeAt extends Omit<ChangedQuery, keyof CodePlace> {
  readonly offset: number;
}

type TableInQuery = KnownTable & { readonly name: string | undefined };

/** Columns of the same name as a new one in another table of a query. */
function findSharedNames(query: Query, known: readonly KnownTable[]): readonly ChangeAt[] {
  const tables = query.tables.flatMap(({ table, name }): readonly TableInQuery[] =>
    known.filter(({ names }) => names.includes(table)).map((it) => ({ ...it, name })),
  );
  return tables.flatMap((one, at) =>
    one.newColumns.flatMap((column) => {
      const other = tables.find((it) => it.names !== one.names && it.columns.includes(column));
      const isLast = other !== undefined && tables.indexOf(other) < at;
      const shared = { one, other, column, isLast };
      return [...findLostValues(query, shared), ...findBareNames(query, shared)];
    }),
  );
}

interface SharedName {
  readonly column: string;
  /** The table in which it is new. */
  readonly one: TableInQuery;
  readonly other: TableInQuery | undefined;
  /** Whether it stands behind the other one, as its columns do. */
  readonly isLast: boolean;
}

/** A row keeps the last of two values. What comes after a column that did not exist is still what it was. */
function findLostValues(
  { takesAll, selected }: Query,
  { column, one, other, isLast }: SharedName,
): readonly ChangeAt[] {
  const others = [
    ...selected.filter(({ text, name }) => name === column && text !== `${one.name}.${column}`),
    ...takesAll.filter(({ of }) => other !== undefined && isTakenBy(of, other)),
  ];
  const isBefore = (it: number, offset: number) => it < offset || (it === offset && isLast);
  const message = `This query selects all columns of \`${one.name}\`, which has \`${column}\` now. Another value has that name, and a row keeps only one of them.`;
  return takesAll
    .filter(({ of }) => isTakenBy(of, one))
    .filter(({ offset }) =>
      others.some((it) => !one.added.includes(column) || isBefore(it.offset, offset)),
    )
    .map(({ offset }) => ({ offset, message, isError: true }));
}

const isTakenBy = (names: readonly string[], { name = '' }: TableInQuery) =>
  names.length === 0 || names.includes(name);

function findBareNames({ bare, selected }: Query, { column, other }: SharedName) {
  if (other === undefined) return [];
  const isSelected = selected.some(({ name }) => name === column);
  const message = `\`${other.name}\` is no longer the only table here with \`${column}\`: write which one is meant.`;
  return bare
    .filter((it) => it.column === column && !(it.isOrder && isSelected))
    .map(({ offset }) => ({ offset, message, isError: true }));
}

/** Reads of a table whose deleted rows stay in it from now on. */
function findDeletedRows(
  { tables, around, isOpen }: Query,
  known: readonly KnownTable[],
): readonly ChangeAt[] {
  return tables.flatMap(({ offset, isRead, table }) => {
    const deletedAt = known.find(({ names }) => names.includes(table))?.deletedAt;
    if (deletedAt === undefined || !isRead || isOpen || around.includes(deletedAt)) return [];
    const message = `Deleted rows stay in \`${table}\` now: this query reads them, too, unless it asks that \`${deletedAt}\` is null.`;
    return [{ offset, message, isError: false }];
  });
}

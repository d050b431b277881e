import type { KeptTable } from '../table-changes.ts';
import { type Pair, type Pairs, pairUp } from '../pairs.ts';
import { isSameRule } from './checks.ts';
import type { ColumnSource, EngineApps } from './column-source.ts';
import { conditionSql } from './index-conditions.ts';
import type { TableCheck, ForeignKey, Table, TableIndex } from './table.ts';

/** Indexes are the same when they mean the same, and columns when their ids are. */
export function compareIndexes({ before, after, columns }: KeptTable): Pairs<TableIndex> {
  const present = new Map(columns.map((it) => [it.before?.name, it.after.name]));
  // The condition of an index compares with values of a type, which may be another one.
  const compared = new Map(
    columns.map((it) => [it.before?.name, isOfOther(it) ? undefined : it.after.name]),
  );
  // While values are swapped, rows may have equal ones.
  const exchanged = new Set(
    columns.filter(({ isOneTime }) => isOneTime).map((it) => it.before?.name),
  );
  const isMet = ({ unique, keys, where = [] }: TableIndex) =>
    unique && [...keys, ...where].some(({ column }) => exchanged.has(column));
  const kept = before.indexes.filter((index) => !isMet(index));
  const former = new Map(
    kept.map((index) => [
      printMeaning(
        index,
        (column) => present.get(column),
        (column) => compared.get(column),
      ),
      index,
    ]),
  );
  return pairUp(before.indexes, after.indexes, (index) =>
    former.get(printMeaning(index, (column) => column)),
  );
}

/** Values of different enum types cannot be compared. */
const isOfOther = ({ before, after }: ColumnSource) =>
  before?.type !== after.type && (before?.values ?? after.values) !== undefined;

type NameOf = (column: string) => string | undefined;

function printMeaning(index: TableIndex, nameOf: NameOf, comparedName: NameOf = nameOf): string {
  const keys = index.keys.map(({ column, descending }) => [nameOf(column) ?? null, descending]);
  const where = index.where?.map((it) => [comparedName(it.column) ?? null, conditionSql(it)]);
  return JSON.stringify([index.unique, where ?? [], keys]);
}

/** A check that is only renamed is kept; one whose meaning changes is dropped and added. */
export function compareChecks(table: KeptTable, engineApps: EngineApps): Pairs<TableCheck> {
  const { before, after } = table;
  return pairUp(before.checks, after.checks, (is) => {
    const sources = listColumnSources(is.columns, table);
    const former = sources.map((it) => it.before?.name).join();
    const isLike = (was: TableCheck) =>
      was.columns.join() === former && saysTheSame(was, is, sources);
    const haveTypes = sources.every((it) => it.before?.type === it.after.type);
    return haveTypes ? before.checks.find(isLike) : undefined;
  });

  function saysTheSame(was: TableCheck, is: TableCheck, sources: readonly ColumnSource[]): boolean {
    const [source] = sources;
    if (source?.before === undefined) return false;
    if (is.operator === undefined) return isSameRule(source.before, source.after, engineApps);
    return was.operator === is.operator;
  }
}

export function listColumnSources(
  names: readonly string[],
  { columns }: Pick<KeptTable, 'columns'>,
): readonly ColumnSource[] {
  return names.flatMap((name) => columns.filter(({ after }) => after.name === name));
}

export function compareKeys(table: KeptTable): Pairs<ForeignKey> {
  const { before, after } = table;
  return pairUp(before.foreignKeys, after.foreignKeys, (is) => {
    const [source] = listColumnSources([is.column], table);
    const isKept = source?.before?.type === source?.after.type;
    const was = before.foreignKeys.find(({ column }) => column === source?.before?.name);
    const isSame =
      was?.onDelete === is.onDelete && was.onUpdate === is.onUpdate && was.deferred === is.deferred;
    return isKept && isSame && was.target === is.target ? was : undefined;
  });
}

export function isTouched({ before, after }: Pair<Table>): boolean {
  return describeTable(before) !== describeTable(after);
}

/** The definition of a table as a text: equal for equal tables, whatever the order of their columns. */
function describeTable(table: Table): string {
  return JSON.stringify(
    tableParts(table)
      .map(({ definition }) => definition)
      .toSorted(),
  );
}

export type TablePart = ReturnType<typeof tableParts>[number];

/** The parts of a table, each under a unique name: `model:Post index posts_title_idx`. */
export function tableParts({ id: table, name, primaryKey, ...rest }: Table) {
  const part = (kind: string, of: string, definition: object) => ({
    table,
    name: `${table} ${kind} ${of}`,
    definition: JSON.stringify([kind, definition]),
  });
  return [
    part('table', '', { name, primaryKey }),
    ...rest.columns.map((it) =>
      part('column', it.field.id, { ...it, field: undefined, note: undefined }),
    ),
    ...rest.checks.map((it) => part('check', it.name, it)),
    ...rest.foreignKeys.map((it) => part('key', it.name, { ...it, target: undefined })),
    ...rest.indexes.map((it) => part('index', it.name, it)),
  ];
}

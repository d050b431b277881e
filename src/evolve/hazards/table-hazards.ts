import type { Field } from '../../model/app.ts';
import { fieldTypes } from '../../types/all.ts';
import { unchangedSql } from '../../types/sql.ts';
import { isVarchar } from '../../types/string.ts';
import { tablePath } from '../changes/change.ts';
import type { TableChanges, KeptTable } from '../table-changes.ts';
import { listLinkedKeys } from '../keys-as-links.ts';
import type { ColumnSource } from '../tables/column-source.ts';
import { compareChecks, listColumnSources } from '../tables/differences.ts';
import { conditionSql } from '../tables/index-conditions.ts';
import type { IndexCondition, TableIndex } from '../tables/table.ts';
import { makeBreakingHazard, makeHazard, type Hazard, type HazardCode } from './hazard.ts';
import { countDuplicates, countRows, oldValue } from './counts.ts';

/** Rows that have to be unique now, because a constraint is new, applies to more rows, or values change. */
export function listUniqueHazards({ kept, apps }: TableChanges): readonly Hazard[] {
  return kept.flatMap((table) =>
    table.after.indexes.flatMap((index) => {
      const sources = listColumnSources(
        index.keys.map(({ column }) => column),
        table,
      );
      if (!index.unique || !mayFail(index, sources, table)) return [];
      const names = sources.map(({ after }) => after.field.name);
      const target = `${tablePath(table.after, apps.after)}.${names.join('+')}`;
      const message = `Rows with the same \`${target}\` must be fixed first.`;
      return [
        makeHazard('SCF423', target, message, { count: countDuplicates(table, index, sources) }),
      ];
    }),
  );
}

/** Rows that violate a new or changed check of two fields. */
export function listOrderHazards(tableChanges: TableChanges): readonly Hazard[] {
  return tableChanges.kept.flatMap((table) => {
    const { added } = compareChecks(table, tableChanges);
    return table.after.checks.flatMap((check) => {
      const sources = listColumnSources(check.columns, table);
      const mayBreak = added.includes(check) || sources.some(({ isCopied }) => !isCopied);
      if (check.operator === undefined || !mayBreak) return [];
      const names = sources.map(({ after }) => after.field.name);
      const target = `${tablePath(table.after, tableChanges.apps.after)}.${names.join('+')}`;
      const rule = names.join(` ${check.operator} `);
      const sides = sources.map((it) => `(${oldValue(it)})`).join(` ${check.operator} `);
      const message = `Rows that violate \`${rule}\` must be fixed first.`;
      const old = `fail where they write what \`${rule}\` does not allow`;
      const count = countRows(table.before.name, `NOT (${sides})`);
      const isNew = added.includes(check);
      return [
        makeHazard('SCF424', target, message, { count }),
        ...(isNew ? [makeBreakingHazard(target, old)] : []),
      ];
    });
  });
}

function mayFail(index: TableIndex, sources: readonly ColumnSource[], table: KeptTable): boolean {
  // Nulls and random values never collide.
  const isDistinct = sources.some(
    ({ before, fill, made }) => before === undefined && (fill === undefined || made === 'uuid'),
  );
  // New ids are as distinct as the old ones.
  const compared = listColumnSources(
    (index.where ?? []).map(({ column }) => column),
    table,
  );
  const mayMeet = [...sources, ...compared.filter(({ before }) => before !== undefined)].some(
    ({ isCopied, isRekeyed, renamed }) => !isCopied && !isRekeyed && renamed === undefined,
  );
  return !isDistinct && (mayMeet || !wasUnique(index, sources, table));
}

function wasUnique(index: TableIndex, sources: readonly ColumnSource[], table: KeptTable) {
  const { before } = table;
  const columns = sources.map((it) => it.before?.name).join();
  const names = new Set(sources.map((it) => it.before?.name));
  if (before.primaryKey.every((column) => names.has(column))) return true;
  return before.indexes.some(
    (was) =>
      was.unique &&
      was.keys.map(({ column }) => column).join() === columns &&
      (was.where ?? []).every((it) => hasSameCondition(it, index, table)),
  );
}

/** Whether the new index has this condition too. Values may have been renamed. */
function hasSameCondition(
  holds: IndexCondition,
  { where = [] }: TableIndex,
  { columns }: KeptTable,
) {
  const source = columns.find(({ before }) => before?.name === holds.column);
  const literals = holds.literals.map((value) => source?.renamed?.get(value) ?? value);
  const now = conditionSql({ ...holds, literals });
  return where.some((it) => it.column === source?.after.name && conditionSql(it) === now);
}

/** Tables that PostgreSQL locks while it changes all rows. SQLite has only one writer anyway. */
export function listLockHazards({ apps, kept }: TableChanges): readonly Hazard[] {
  if (apps.after.database !== 'postgres') return [];
  const linked = new Set(listLinkedKeys(apps).map(({ model }) => model.id));
  return kept.flatMap(({ before, after, columns }) => {
    const target = tablePath(after, apps.after);
    const lock = (code: HazardCode, message: string) =>
      makeHazard(code, target, message, { count: countRows(before.name) });
    const rewritten = `The table \`${after.name}\` is rewritten; nobody can use it meanwhile.`;
    const written = `Values of \`${after.name}\` are swapped in one statement; other writes to it wait meanwhile.`;
    const copied = `Keys of \`${after.name}\` become links in one transaction; nobody else can use it meanwhile.`;
    const isLinked = linked.has(before.id);
    const isWritten = columns.some(({ isOneTime }) => isOneTime);
    return [
      ...(columns.some(rewrites) ? [lock('SCF431', rewritten)] : []),
      ...(isLinked ? [lock('SCF432', copied)] : []),
      ...(isWritten && !isLinked ? [lock('SCF432', written)] : []),
    ];
  });
}

function rewrites({ before, after, value, isRekeyed }: ColumnSource): boolean {
  if (before === undefined) return after.field.role === 'id';
  if (isRekeyed) return true;
  const isKept =
    value === unchangedSql && after.values === undefined && isWider(before.field, after.field);
  return before.type !== after.type && !isKept;
}

/** Changes that PostgreSQL makes without rewriting the table. */
function isWider(before: Field, after: Field): boolean {
  if (isVarchar(before)) {
    const isRoomier = !isVarchar(after) || Number(after.max) >= Number(before.max);
    return fieldTypes[after.type.kind].family === 'text' && isRoomier;
  }
  const [from, to] = [before.type, after.type];
  const areDecimals = from.kind === 'decimal' && to.kind === 'decimal';
  return areDecimals && from.scale === to.scale && to.precision >= from.precision;
}

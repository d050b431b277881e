import type { Field, Model } from '../../model/app.ts';
import { schemaName } from '../../naming/name.ts';
import { fieldTypes } from '../../types/all.ts';
import { isVarchar } from '../../types/string.ts';
import { type Change, type ChangeOf, tablePlace, type Place } from '../changes/change.ts';
import { storageOf } from '../dialect.ts';
import type { Evolution, KeptTable } from '../evolution.ts';
import { identifierSql } from '../sql/sql-text.ts';
import { type ColumnSource, rekeyedId } from '../tables/column-source.ts';
import { type TableIndex, type ForeignKey, keyOn } from '../tables/table.ts';
import { breaksOldCode, type Draft, hazard, type Hazard } from './hazard.ts';
import {
  countRows,
  keptTable,
  sourceOf,
  countDuplicates,
  convertField,
  dropValue,
} from './values.ts';

/** What may go wrong when the changes are made to a database with rows in it. */
export function findHazards(changes: readonly Change[], evolution: Evolution): readonly Hazard[] {
  const ofChanges = changes.flatMap((change) =>
    draftsOf(change, evolution).map((draft) => ({ ...draft, target: change.target })),
  );
  const all = [...ofChanges, ...uniqueHazards(evolution), ...lockHazards(evolution)];
  return all.filter((it, index) => !isToldBefore(it, all.slice(0, index)));
}

/** Once is enough that old code fails on something; what comes first says most. */
function isToldBefore({ kind, target }: Hazard, earlier: readonly Hazard[]): boolean {
  return kind === 'breaks' && earlier.some((it) => it.kind === kind && it.target === target);
}

function draftsOf(change: Change, evolution: Evolution): readonly Draft[] {
  const { target } = change;
  switch (change.kind) {
    case 'drop_model':
      return dropTable(`The rows of \`${target}\` are deleted.`, change.before.table);
    case 'drop_links':
      return dropTable(`The links of \`${target}\` are deleted.`, change.before.table);
    case 'drop_field':
      return dropField(change);
    case 'add_field':
      return addField(change, evolution);
    case 'require_field':
      return requireField(change, evolution);
    case 'change_type':
    case 'change_bounds':
      return convertField(change, evolution);
    case 'drop_value':
      return dropValue(change, evolution);
    case 'add_key':
      return addKey(change, evolution);
    case 'change_id':
      return [
        hazard(
          'SCF416',
          `Every row of \`${target}\` gets a new id; keys in this database follow, links from elsewhere do not.`,
          { count: countRows(change.before.table) },
        ),
        breaksOldCode,
      ];
    case 'rename_model':
    case 'move_table':
    case 'rename_field':
    case 'move_column':
    case 'rename_links':
    case 'rename_value':
      return [breaksOldCode];
    default:
      return [];
  }
}

function dropTable(message: string, table: string): readonly Draft[] {
  return [hazard('SCF411', message, { count: countRows(table) }), breaksOldCode];
}

function dropField({ target, before }: ChangeOf<'drop_field'>): readonly Draft[] {
  const { model, field } = before;
  const count = countRows(model.table, `${identifierSql(field.column)} IS NOT NULL`);
  const message =
    field.role === 'deleted_at'
      ? `Rows of \`${schemaName(model)}\` that were deleted are there again.`
      : `The values of \`${target}\` are deleted.`;
  return [hazard('SCF412', message, { count }), breaksOldCode];
}

function addField(
  { target, after }: ChangeOf<'add_field'>,
  evolution: Evolution,
): readonly Draft[] {
  const { model, field } = after;
  const source = sourceOf(evolution, after);
  if (field.nullable || source === undefined) return [];
  const breaks = writesNone(target);
  const table = formerTable(model, evolution);
  if (source.fill !== undefined) {
    const own = source.after.default === undefined ? [breaks] : [];
    return [...missingTarget(after, evolution, table), ...own];
  }
  const help =
    field.role === 'key'
      ? 'Give the relation a `backfill`; or make it optional, fill it in, and require it then'
      : 'Give the field a `backfill` or a default';
  return [
    hazard('SCF421', `Existing rows have no \`${target}\`. ${help}.`, {
      count: countRows(table),
      stops: true,
    }),
    breaks,
  ];
}

function requireField(
  { target, before, after }: ChangeOf<'require_field'>,
  evolution: Evolution,
): readonly Draft[] {
  const breaks = writesNone(target);
  const column = identifierSql(before.field.column);
  const missing = hazard(
    'SCF422',
    `Rows have no \`${target}\`. Give the field a \`backfill\`, or fill them in first.`,
    { count: countRows(before.model.table, `${column} IS NULL`), stops: true },
  );
  if (sourceOf(evolution, after)?.fill === undefined) return [missing, breaks];
  return [...missingTarget(after, evolution, before.model.table, `${column} IS NULL`), breaks];
}

function writesNone(target: string): Draft {
  return hazard(
    'SCF441',
    `Servers that still run the old code write no \`${target}\`, and fail once this is applied.`,
  );
}

function formerTable(model: Model, evolution: Evolution): string {
  return keptTable(evolution, model)?.before.name ?? model.table;
}

/** Rows that have to differ from now on: the rule is new, or holds for more rows, or the values become others. */
function uniqueHazards({ kept, apps }: Evolution): readonly Hazard[] {
  return kept.flatMap((table) =>
    table.after.indexes
      .filter((index) => index.unique && mayFail(index, table))
      .map((index): Hazard => {
        const columns = index.keys.map(({ column }) => column);
        const names = columns.map(
          (column) => columnSource(table, column)?.after.field.name ?? column,
        );
        const target = `${tablePlace(table.after, apps.after)}.${names.join('+')}`;
        const message = `Rows with the same \`${target}\` have to be changed first.`;
        const count = countDuplicates(table, columns);
        return { ...hazard('SCF423', message, { count, stops: true }), target };
      }),
  );
}

function mayFail(index: TableIndex, table: KeptTable): boolean {
  const sources = index.keys.map(({ column }) => columnSource(table, column));
  // What is NULL, or drawn by chance, is like nothing else.
  if (sources.some((it) => it !== undefined && it.before === undefined && !isAlike(it)))
    return false;
  return isNew(index, table) || sources.some((it) => it === undefined || !staysApart(it));
}

function isNew(index: TableIndex, { before, columns }: KeptTable): boolean {
  const present = new Map(columns.map((it) => [it.before?.name, it.after.name]));
  const names = index.keys.map(({ column }) => column).join();
  return !before.indexes.some(
    (was) =>
      was.unique &&
      was.keys.map(({ column }) => present.get(column) ?? '').join() === names &&
      (was.where === undefined || index.where !== undefined),
  );
}

/** Ids that become others are as different as they were. */
function staysApart({ isCopied, rekeyed }: ColumnSource): boolean {
  return isCopied || rekeyed !== undefined;
}

function isAlike(source: ColumnSource): boolean {
  return source.fill !== undefined && source.isDrawn !== true;
}

function columnSource({ columns }: KeptTable, name: string): ColumnSource | undefined {
  return columns.find(({ after }) => after.name === name);
}

/** Tables that PostgreSQL rewrites while nobody may read them. SQLite has one writer in any case. */
function lockHazards({ apps, kept }: Evolution): readonly Hazard[] {
  if (apps.after.database !== 'postgres') return [];
  return kept
    .filter(({ columns }) => columns.some(rewrites))
    .map(({ before, after }) => {
      const message = `The table \`${after.name}\` is rewritten; nobody can use it meanwhile.`;
      const draft = hazard('SCF431', message, { count: countRows(before.name) });
      return { ...draft, target: tablePlace(after, apps.after) };
    });
}

function rewrites({ before, after, value, rekeyed }: ColumnSource): boolean {
  if (before === undefined) return false;
  if (rekeyed !== undefined) return true;
  const isKept = value('it') === 'it' && isWider(before.field, after.field);
  return before.type !== after.type && !isKept;
}

/** Of these PostgreSQL only changes what it knows of the column. */
function isWider(before: Field, after: Field): boolean {
  if (isVarchar(before)) {
    const isRoomier = !isVarchar(after) || Number(after.max) >= Number(before.max);
    return fieldTypes[after.type.kind].family === 'text' && isRoomier;
  }
  const [from, to] = [before.type, after.type];
  const areDecimals = from.kind === 'decimal' && to.kind === 'decimal';
  return areDecimals && from.scale === to.scale && to.precision >= from.precision;
}

function addKey(
  { target, before, after }: ChangeOf<'add_key'>,
  evolution: Evolution,
): readonly Draft[] {
  const column = identifierSql(before.field.column);
  const goal = formerTarget(foreignKeyOf(after, evolution), evolution);
  const orphans =
    goal === undefined
      ? `${column} IS NOT NULL`
      : `${column} IS NOT NULL AND ${column} NOT IN (SELECT id FROM ${identifierSql(goal.before.name)})`;
  return [
    hazard('SCF425', `Rows whose \`${target}\` is not there have to be changed first.`, {
      count: countRows(before.model.table, orphans),
      stops: true,
    }),
  ];
}

/** Rows that would get a key to a row that is not there. */
function missingTarget(place: Place, evolution: Evolution, table: string, condition?: string) {
  const { role, backfill } = place.field;
  const key = foreignKeyOf(place, evolution);
  if (role !== 'key' || backfill === undefined || key === undefined) return [];
  const id = storageOf(place.field.type, evolution.dialect).literal(backfill);
  const goal = formerTarget(key, evolution);
  const isMissing =
    goal === undefined
      ? []
      : [`NOT EXISTS (SELECT 1 FROM ${identifierSql(goal.before.name)} WHERE id = ${id})`];
  const conditions = [...(condition === undefined ? [] : [condition]), ...isMissing];
  const where = conditions.length === 0 ? undefined : conditions.join(' AND ');
  return [
    hazard('SCF425', `Existing rows get the key ${id}: \`${key.table}\` has to have that row.`, {
      count: countRows(table, where),
      stops: true,
    }),
  ];
}

function foreignKeyOf({ model, field }: Place, evolution: Evolution): ForeignKey | undefined {
  const table = keptTable(evolution, model)?.after;
  return table && keyOn(table, field.column);
}

/** Undefined when no row can have the new key yet: the table is new, or its ids are to be others. */
function formerTarget(key: ForeignKey | undefined, { kept }: Evolution): KeptTable | undefined {
  return kept.find(
    ({ after, columns }) => after.id === key?.target && rekeyedId(columns) === undefined,
  );
}

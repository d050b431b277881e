import { textSql } from '../../types/sql.ts';
import { idsTable, newIdFunction, storageOf } from '../dialect.ts';
import type { Evolution, KeptTable } from '../evolution.ts';
import type { Pair } from '../pairs.ts';
import { identifierSql } from '../sql/sql-text.ts';
import { alterTable } from '../sql/statements.ts';
import { atOnce, type Block, inBatches } from '../sql/steps.ts';
import { type ColumnSource, keptColumns } from '../tables/column-source.ts';
import type { Check, Column } from '../tables/table.ts';

/** A check that holds is what spares `SET NOT NULL` its look at every row. */
export function newlyRequired({ columns }: KeptTable): readonly Check[] {
  return columns.filter(isNewlyRequired).map(({ after: { name } }) => ({
    column: name,
    name: `${name}__required`,
    expression: `${identifierSql(name)} IS NOT NULL`,
  }));
}

function isNewlyRequired(source: ColumnSource): boolean {
  const { before, after, isRekeyed } = source;
  if (after.nullable || isRekeyed) return false;
  return before === undefined ? !hasConstant(source) : before.nullable;
}

/** A new column costs nothing, however many rows there are, when all of them get the same value. */
function hasConstant({ fill, made }: ColumnSource): boolean {
  return fill !== undefined && made !== 'uuid';
}

/** What the columns become. */
export function alterColumns(table: KeptTable): readonly string[] {
  return [
    ...uncountIds(table),
    ...reshapeColumns(table),
    ...countIds(table),
    ...settleDefaults(table),
  ];
}

/** All at once: the table is rewritten once at most. */
function reshapeColumns({ after, columns }: KeptTable): readonly string[] {
  const actions = columns.flatMap((source) =>
    source.before === undefined ? addition(source) : alterations(source.before, source),
  );
  return actions.length === 0 ? [] : [alterTable(after.name, ...actions)];
}

function addition(source: ColumnSource): readonly string[] {
  const { name, type, nullable } = source.after;
  const required = nullable ? '' : ' NOT NULL';
  const filling = hasConstant(source) ? `${required} DEFAULT ${source.fill}` : '';
  return [`ADD COLUMN ${identifierSql(name)} ${type}${filling}`];
}

function alterations(before: Column, { after, value, isOnce }: ColumnSource): readonly string[] {
  const column = identifierSql(after.name);
  const isRetyped = before.type !== after.type;
  const isGone = before.default !== undefined && (isRetyped || after.default === undefined);
  const using = value(column) === column ? '' : ` USING ${value(column)}`;
  return [
    ...(isGone ? ['DROP DEFAULT'] : []),
    ...(!before.nullable && after.nullable ? ['DROP NOT NULL'] : []),
    ...(isRetyped ? [`TYPE ${after.type}${using}`] : []),
    ...(isOnce ? [] : newDefault({ before, after }, isRetyped)),
  ].map((action) => `ALTER COLUMN ${column} ${action}`);
}

function newDefault({ before, after }: Pair<Column>, isRetyped = false): readonly string[] {
  const isOther = isRetyped || before.default !== after.default;
  return isOther && after.default !== undefined ? [`SET DEFAULT ${after.default}`] : [];
}

/** What filled the rows of a new column was its default for a moment. */
function settleDefaults({ after, columns }: KeptTable): readonly string[] {
  return columns
    .filter((source) => source.before === undefined && hasConstant(source))
    .filter((source) => source.fill !== source.after.default)
    .map(({ after: { name, default: value } }) => {
      const action = value === undefined ? 'DROP DEFAULT' : `SET DEFAULT ${value}`;
      return alterTable(after.name, `ALTER COLUMN ${identifierSql(name)} ${action}`);
    });
}

/** In one statement for all columns where a second time finds nothing to do, so that each row is written once. */
export function fillRows({ after, columns }: KeptTable) {
  const filled = columns.filter((source) => isFilledIn(source) && !source.isOnce);
  if (filled.length === 0) return { fill: [], fillAgain: [] };
  const table = identifierSql(after.name);
  const { set, test } = updateOf(table, filled);
  const update = `${set}\n  WHERE id BETWEEN $1 AND $2 AND (${test});`;
  return {
    fill: [inBatches(table, 'Rows get their new values; others can work meanwhile.', update)],
    fillAgain: [inBatches(table, 'Rows that were written meanwhile get theirs.', update)],
  };
}

/**
 * Values that change places, and the rules for them, while nobody writes: of what was written in between nobody could
 * tell whether it is an old value or a new one.
 */
export function exchangeValues({ after, columns }: KeptTable, rules: readonly string[]) {
  const exchanged = columns.filter(({ isOnce }) => isOnce);
  if (exchanged.length === 0) return [];
  const table = identifierSql(after.name);
  const { set, test } = updateOf(table, exchanged);
  const defaults = keptColumns(exchanged).flatMap((pair) =>
    newDefault(pair).map((action) => `ALTER COLUMN ${identifierSql(pair.after.name)} ${action}`),
  );
  return [
    atOnce(table, 'Values change places. Whoever writes to the table waits meanwhile.', [
      `LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE;`,
      `${set}\n  WHERE ${test};`,
      ...(defaults.length > 0 ? [alterTable(after.name, ...defaults)] : []),
      ...rules,
    ]),
  ];
}

function updateOf(table: string, filled: readonly ColumnSource[]) {
  const fills = filled.map((source) => {
    const column = identifierSql(source.after.name);
    const missing = `coalesce(${column}, ${source.fill})`;
    const value = source.before === undefined ? missing : source.value(column);
    const test = value === missing ? `${column} IS NULL` : `${column} IS DISTINCT FROM (${value})`;
    return { set: `${column} = ${value}`, test };
  });
  return {
    set: `UPDATE ${table} SET ${fills.map((it) => it.set).join(', ')}`,
    test: fills.map((it) => it.test).join(' OR '),
  };
}

/** Whether rows have to be touched: a column of another type is filled in as it is converted. */
function isFilledIn({ before, after, value, isRekeyed, made }: ColumnSource): boolean {
  if (isRekeyed) return false;
  if (before === undefined) return made === 'uuid';
  const column = identifierSql(after.name);
  return before.type === after.type && value(column) !== column;
}

/**
 * What becomes of each id of the tables whose ids change their kind, and a function that tells it: by that a column can
 * change its type in place, with all that stands on it, and no trigger or policy comes between.
 */
export function newIds({ kept, dialect }: Evolution): readonly Block[] {
  return kept.flatMap(({ before, after, newId }) => {
    if (newId === undefined) return [];
    const [was, is] = [newId.before.type, newId.after.type];
    const made = newId.after.generated
      ? 'row_number() OVER (ORDER BY id)'
      : storageOf({ kind: 'uuid' }, dialect).made;
    const ids = idsTable(after.name);
    return [
      {
        comments: [`What becomes of each id of ${after.name}.`],
        statements: [
          `CREATE TEMP TABLE ${ids} (old_id ${was} PRIMARY KEY, new_id ${is} UNIQUE) ON COMMIT DROP;`,
          `INSERT INTO ${ids} SELECT id, ${made} FROM ${identifierSql(after.name)};`,
          [
            `CREATE FUNCTION ${newIdFunction(after.name)}(key__id ${was}) RETURNS ${is}`,
            'LANGUAGE plpgsql STABLE STRICT AS $new_id$',
            'DECLARE',
            `  new__id ${is} := (SELECT new_id FROM ${ids} WHERE old_id = key__id);`,
            'BEGIN',
            '  IF new__id IS NULL THEN',
            `    RAISE EXCEPTION 'no row of % has the id %', ${textSql(before.name)}, key__id;`,
            '  END IF;',
            '  RETURN new__id;',
            'END $new_id$;',
          ].join('\n'),
        ],
      },
    ];
  });
}

export function dropNewIds({ kept }: Evolution): readonly string[] {
  return kept
    .filter(({ newId }) => newId !== undefined)
    .map(({ after }) => `DROP FUNCTION ${newIdFunction(after.name)};`);
}

function uncountIds({ after, newId }: KeptTable): readonly string[] {
  if (newId?.before.generated === undefined) return [];
  return [alterTable(after.name, 'ALTER COLUMN id DROP IDENTITY')];
}

/** An id that the database counts from now on, after the last one that was given out. */
function countIds({ after, newId }: KeptTable): readonly string[] {
  if (newId?.after.generated === undefined) return [];
  const table = identifierSql(after.name);
  return [
    alterTable(after.name, 'ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY'),
    `SELECT setval(pg_get_serial_sequence(${textSql(table)}, 'id'), coalesce(max(id), 0) + 1, false) FROM ${table};`,
  ];
}

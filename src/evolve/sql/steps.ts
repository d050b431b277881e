import type { Dialect } from '../dialect.ts';
import {
  type ForeignKey,
  type Table,
  type Column,
  keyOn,
  type TableIndex,
} from '../tables/table.ts';
import { paragraphSql, commentSql, identifierSql, identifiersSql } from './sql-text.ts';

/** A part of a migration. */
export interface Step {
  /** How the runner goes about it, as it stands in the line that begins the step. */
  readonly way: string;
  readonly blocks: readonly Block[];
}

const oneTransaction = 'one transaction';

export function together(comment: string, statements: readonly string[]): Step {
  return inTransaction([{ comments: [comment], statements }]);
}

export function inTransaction(blocks: readonly Block[]): Step {
  return { way: oneTransaction, blocks };
}

/**
 * Statements that are run one by one, and all of them again when one was interrupted. A blank line, which no statement
 * has inside, keeps them apart.
 */
export function alone(comment: string, statements: readonly string[]): Step {
  return {
    way: 'outside of a transaction',
    blocks: statements.map((statement, index) => ({
      comments: index === 0 ? [comment] : [],
      statements: [statement],
    })),
  };
}

/** One UPDATE of rows whose ids are from `$1` to `$2`, which finds nothing to do the second time. */
export function inBatches(table: string, comment: string, update: string): Step {
  return { way: `in batches of ${table}`, blocks: [{ comments: [comment], statements: [update] }] };
}

/** One UPDATE that must not be done twice. */
export function atOnce(table: string, comment: string, update: string): Step {
  return { way: `at once for ${table}`, blocks: [{ comments: [comment], statements: [update] }] };
}

/** The runner knows steps by the lines that begin them; a migration of one transaction has none. */
export function stepsSql(steps: readonly Step[]): string {
  const texts = steps
    .map(({ way, blocks }) => ({ way, sql: blocksSql(blocks) }))
    .filter(({ sql }) => sql !== '');
  const [first, ...others] = texts;
  if (first === undefined) return '';
  if (others.length === 0 && first.way === oneTransaction) return first.sql;
  return texts
    .map(({ way, sql }, index) => `-- step ${index + 1} of ${texts.length}: ${way}\n\n${sql}`)
    .join('\n\n');
}

/** Statements that belong together, under the sentences that say why. */
export interface Block {
  readonly comments: readonly string[];
  readonly statements: readonly string[];
}

function blocksSql(blocks: readonly Block[]): string {
  return blocks
    .filter(({ statements }) => statements.length > 0)
    .map(({ comments, statements }) => [...comments.map(paragraphSql), ...statements].join('\n'))
    .join('\n\n');
}

export interface RenameStep {
  readonly from: string;
  readonly to: string;
}

/**
 * Renames in an order in which no name is wanted before it is free. Names that go round in a circle, and those that
 * differ only in case, go by way of a name of their own.
 */
export function renameSteps(renames: readonly RenameStep[]): readonly RenameStep[] {
  const steps: RenameStep[] = [];
  let waiting = renames.filter(({ from, to }) => from !== to);
  while (waiting.length > 0) {
    const taken = new Set(waiting.map(({ from }) => folded(from)));
    const next = waiting.find(({ to }) => !taken.has(folded(to))) ?? waiting[0];
    if (next === undefined) break;
    const others = waiting.filter((it) => it !== next);
    const isFree = !taken.has(folded(next.to));
    const aside = `${next.from}__aside`;
    steps.push(isFree ? next : { from: next.from, to: aside });
    waiting = isFree ? others : [...others, { from: aside, to: next.to }];
  }
  return steps;
}

function folded(name: string): string {
  return name.toLowerCase();
}

export interface SplitTable {
  readonly table: Table;
  /** Keys that the table can have from the start, and those that wait for a later table. */
  readonly now: readonly ForeignKey[];
  readonly later: readonly ForeignKey[];
}

/** By whether the table that a key names is there, given the ids of those that were made before or with it. */
export function splitKeys(
  tables: readonly Table[],
  isThere: (key: ForeignKey, made: ReadonlySet<string>) => boolean,
): readonly SplitTable[] {
  const made = new Set<string>();
  return tables.map((table) => {
    made.add(table.id);
    return {
      table,
      now: table.foreignKeys.filter((key) => isThere(key, made)),
      later: table.foreignKeys.filter((key) => !isThere(key, made)),
    };
  });
}

/** The table with its comment; `foreignKeys` are those that it can name already. */
export function createTable(
  table: Table,
  foreignKeys: readonly ForeignKey[],
  dialect: Dialect,
): string {
  const columns = table.columns.map((column) => ({
    sql: columnSql(column, table, dialect),
    note: column.note,
  }));
  const rules = [
    ...table.checks.map(({ name, expression }) => constraint(name, `CHECK (${expression})`)),
    ...foreignKeys.map((key) => constraint(key.name, foreignKeySql(key, dialect))),
    ...(table.primaryKey.length > 1 ? [`PRIMARY KEY (${identifiersSql(table.primaryKey)})`] : []),
  ].map((sql) => ({ sql, note: undefined }));
  const comment = table.comment === undefined ? [] : [commentSql(table.comment)];
  return [
    ...comment,
    `CREATE TABLE ${identifierSql(table.name)} (`,
    ...listed([...columns, ...rules]),
    `)${dialect.tableOptions};`,
  ].join('\n');
}

/** A comma follows each line but the last, and comes before the note. */
function listed(lines: readonly { readonly sql: string; readonly note: string | undefined }[]) {
  return lines.map(({ sql, note }, index) => {
    const comma = index === lines.length - 1 ? '' : ',';
    return `  ${sql}${comma}${note === undefined ? '' : ` -- ${note}`}`;
  });
}

export function createIndex(table: Table, index: TableIndex): string {
  const keys = index.keys.map(
    ({ column, descending }) => identifierSql(column) + (descending ? ' DESC' : ''),
  );
  const kind = index.unique ? 'UNIQUE INDEX' : 'INDEX';
  const on = `${identifierSql(table.name)} (${keys.join(', ')})`;
  const where = index.where === undefined ? '' : ` WHERE ${index.where}`;
  return `CREATE ${kind} ${identifierSql(index.name)} ON ${on}${where};`;
}

export function dropIndex({ name }: TableIndex): string {
  return `DROP INDEX ${identifierSql(name)};`;
}

export function renameTable(from: string, to: string): string {
  return `ALTER TABLE ${identifierSql(from)} RENAME TO ${identifierSql(to)};`;
}

export function renameColumn(table: string, from: string, to: string): string {
  const names = `${identifierSql(from)} TO ${identifierSql(to)}`;
  return `ALTER TABLE ${identifierSql(table)} RENAME COLUMN ${names};`;
}

export function dropColumn(table: string, column: string): string {
  return `ALTER TABLE ${identifierSql(table)} DROP COLUMN ${identifierSql(column)};`;
}

/** With the rules that name this column alone. */
export function addColumn(table: Table, column: Column, dialect: Dialect): string {
  const check = table.checks.find((it) => it.column === column.name);
  const key = keyOn(table, column.name);
  const words = [
    columnSql(column, table, dialect),
    ...(check ? [constraint(check.name, `CHECK (${check.expression})`)] : []),
    ...(key ? [constraint(key.name, referenceSql(key, dialect))] : []),
  ];
  return `ALTER TABLE ${identifierSql(table.name)} ADD COLUMN ${words.join(' ')};`;
}

export function addForeignKey(table: Table, key: ForeignKey, dialect: Dialect): string {
  const name = identifierSql(table.name);
  return `ALTER TABLE ${name} ADD ${constraint(key.name, foreignKeySql(key, dialect))};`;
}

export function dropForeignKey(table: Table, key: ForeignKey): string {
  return `ALTER TABLE ${identifierSql(table.name)} DROP CONSTRAINT ${identifierSql(key.name)};`;
}

export function dropTable(table: Table): string {
  return `DROP TABLE ${identifierSql(table.name)};`;
}

function columnSql(column: Column, table: Table, dialect: Dialect): string {
  const name = identifierSql(column.name);
  if (column.generated) return `${name} ${dialect.generatedId}`;
  const isKey = table.primaryKey.length === 1 && table.primaryKey[0] === column.name;
  const words = [name, column.type];
  if (isKey) words.push('PRIMARY KEY');
  else if (!column.nullable) words.push('NOT NULL');
  if (column.default !== undefined) words.push(`DEFAULT ${column.default}`);
  return words.join(' ');
}

function constraint(name: string, rule: string): string {
  return `CONSTRAINT ${identifierSql(name)} ${rule}`;
}

/** To restrict is SQL's default, NO ACTION, which unlike RESTRICT lets a cascade take both rows. */
const onDelete = { restrict: '', cascade: ' ON DELETE CASCADE', set_null: ' ON DELETE SET NULL' };

function foreignKeySql(key: ForeignKey, dialect: Dialect): string {
  return `FOREIGN KEY (${identifierSql(key.column)}) ${referenceSql(key, dialect)}`;
}

function referenceSql(key: ForeignKey, dialect: Dialect): string {
  const rule = onDelete[key.onDelete] + (key.deferred ? dialect.deferred : '');
  return `REFERENCES ${identifierSql(key.table)} (id)${rule}`;
}

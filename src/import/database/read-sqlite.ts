import { textSql } from '../../types/sql.ts';
import type { Catalogue, FoundColumn, FoundIndex, FoundKey, FoundTable } from '../catalogue.ts';
import type { Ask } from './answers.ts';

/** Reads the main database of a file, but no rows. */
export async function readSqlite(ask: Ask): Promise<Catalogue> {
  const listed = await ask<ListedTable>(listedTablesSql);
  const tables: FoundTable[] = [];
  for (const it of listed) if (it.kind === 'table') tables.push(await readTable(it, ask));
  return {
    engine: 'sqlite',
    tables,
    enums: new Map(),
    others: [
      ...listed.filter(({ kind }) => kind !== 'table'),
      ...(await ask<{ kind: string; name: string }>(triggersSql)),
    ],
  };
}

interface ListedTable {
  readonly kind: 'table' | 'view' | 'virtual table';
  readonly name: string;
  readonly strict: number;
  readonly sql: string;
}

const listedTablesSql = `
  select replace(list.type, 'virtual', 'virtual table') as kind, list.name, list.strict as strict, sqlite_schema.sql
  from pragma_table_list as list join sqlite_schema on sqlite_schema.name = list.name
  where list.schema = 'main' and list.type in ('table', 'view', 'virtual')
    and list.name not like 'sqlite\\_%' escape '\\' order by list.name`;

const triggersSql = `select 'trigger' as kind, tbl_name || '.' || name as name from sqlite_schema where type = 'trigger' order by 2`;

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly required: number;
  readonly initial?: string;
  /** Its position in the primary key, from 1. */
  readonly pk: number;
  readonly hidden: number;
}

async function readTable({ name, sql, strict }: ListedTable, ask: Ask): Promise<FoundTable> {
  const quoted = textSql(name);
  const columns = await ask<ColumnRow>(
    `select name, lower(type) as type, "notnull" as required, dflt_value as initial, pk, hidden from pragma_table_xinfo(${quoted})`,
  );
  const keys = columns
    .filter(({ pk }) => pk > 0)
    .toSorted((left, right) => (left.pk > right.pk ? 1 : -1));
  // A primary key of one integer column is SQLite's row number.
  const isRowId = keys.length === 1 && keys[0]?.type === 'integer';
  return {
    name,
    columns: columns.map((it) => readColumn(it, { sql, isRowId })),
    primaryKey: keys.map((it) => it.name),
    foreignKeys: await readKeys(quoted, ask),
    indexes: await readIndexes(quoted, ask),
    checks: checksIn(sql),
    isStrict: strict > 0,
  };
}

function readColumn(
  row: ColumnRow,
  { sql, isRowId }: { readonly sql: string; readonly isRowId: boolean },
): FoundColumn {
  const { name, type, required, initial, pk, hidden } = row;
  const escaped = name.replaceAll(/[^\w]/g, String.raw`\$&`);
  const written = `["\`]?${escaped}["\`]?\\s`;
  return {
    name,
    type,
    nullable: !(required > 0 || pk > 0),
    default: initial,
    isCounted: isRowId && pk > 0,
    isGenerated: hidden > 1,
    isCaseless: new RegExp(`[\\s(,]${written}[^,]*\\bcollate\\s+nocase\\b`, 'i').test(sql),
    note: new RegExp(`^\\s*${written}[^\\n]*-- (.*)$`, 'm').exec(sql)?.[1],
  };
}

interface KeyRow extends Pick<FoundKey, 'table' | 'onDelete' | 'onUpdate'> {
  readonly id: number;
  readonly source: string;
  readonly target?: string;
}

async function readKeys(table: string, ask: Ask): Promise<readonly FoundKey[]> {
  const rows = await ask<KeyRow>(
    `select id, "table", "from" as source, "to" as target,
      replace(lower(on_delete), 'no action', 'restrict') as "onDelete",
      replace(lower(on_update), 'no action', 'restrict') as "onUpdate"
    from pragma_foreign_key_list(${table}) order by id desc, seq`,
  );
  const keys = new Map(rows.map((row) => [row.id, row]));
  return [...keys.values()].map((key) => {
    const parts = rows.filter(({ id }) => id === key.id);
    return {
      ...key,
      columns: parts.map(({ source }) => source),
      // A foreign key without target columns refers to the primary key.
      targets: parts.flatMap(({ target }) => target ?? []),
    };
  });
}

async function readIndexes(table: string, ask: Ask): Promise<readonly FoundIndex[]> {
  const found: FoundIndex[] = [];
  const list = await ask<{ name: string; isUnique: number; sql?: string }>(
    `select list.name, list."unique" as "isUnique", sqlite_schema.sql
    from pragma_index_list(${table}) as list left join sqlite_schema on sqlite_schema.name = list.name
    where list.origin <> 'pk' order by list.seq desc`,
  );
  for (const { name, isUnique, sql = '' } of list) {
    const keys = await ask<{ name?: string; desc: number }>(
      `select name, desc from pragma_index_xinfo(${textSql(name)}) where key = 1 order by seqno`,
    );
    found.push({
      name,
      isUnique: isUnique > 0,
      keys: keys.map((key) => ({ column: key.name ?? null, isDescending: key.desc > 0 })),
      where: /\)\s*where\s+([^]*)$/i.exec(sql)?.[1],
      method: 'btree',
    });
  }
  return found;
}

/** The expression of each CHECK. Ignores texts and comments. */
function checksIn(sql: string): readonly string[] {
  const words = sql.match(/--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|"[^"]*"|`[^`]*`|\w+|[^]/g) ?? [];
  const plain = words.filter((word) => !/^(--|\/\*)/.test(word));
  return plain.flatMap((word, at) => {
    if (word.toLowerCase() !== 'check') return [];
    const start = plain.findIndex((it, index) => index > at && it === '(');
    const isNext = start > at && plain.slice(at + 1, start).every((it) => it.trim() === '');
    return isNext ? [bracket(plain.slice(start + 1))] : [];
  });
}

function bracket(words: readonly string[]): string {
  let depth = 1;
  const end = words.findIndex((word) => {
    depth += word === '(' ? 1 : word === ')' ? -1 : 0;
    return depth === 0;
  });
  return words.slice(0, end).join('').trim();
}

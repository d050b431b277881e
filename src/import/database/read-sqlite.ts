import type { Catalogue, FoundColumn, FoundIndex, FoundKey, FoundTable } from '../catalogue.ts';
import { type AnswerRow, type Ask, isTrue, textIn, textOrNone } from './answers.ts';

/** Reads the main database of a file, but no rows. */
export async function readSqlite(ask: Ask): Promise<Catalogue> {
  const listed = await ask(listSql);
  const ofKind = (kind: string) => listed.filter((row) => row['kind'] === kind);
  const tables: FoundTable[] = [];
  for (const row of ofKind('table')) tables.push(await readTable(row, ask));
  return {
    engine: 'sqlite',
    tables,
    enums: new Map(),
    others: [
      ...listed
        .filter((row) => row['kind'] === 'view' || row['kind'] === 'virtual')
        .map((row) => ({
          kind: row['kind'] === 'view' ? 'view' : 'virtual table',
          name: textIn(row, 'name'),
        })),
      ...(await ask(triggersSql)).map((row) => ({ kind: 'trigger', name: textIn(row, 'name') })),
    ],
  };
}

const listSql = `
  select list.name, list.type as kind, list.strict as strict, sqlite_schema.sql
  from pragma_table_list as list join sqlite_schema on sqlite_schema.name = list.name
  where list.schema = 'main' and list.type in ('table', 'view', 'virtual')
    and list.name not like 'sqlite\\_%' escape '\\' order by list.name`;

const triggersSql = `select tbl_name || '.' || name as name from sqlite_schema where type = 'trigger' order by 1`;

async function readTable(row: AnswerRow, ask: Ask): Promise<FoundTable> {
  const [name, sql] = [textIn(row, 'name'), textIn(row, 'sql')];
  const quoted = `'${name.replaceAll("'", "''")}'`;
  const columns = await ask(
    `select name, type, "notnull" as required, dflt_value as initial, pk, hidden from pragma_table_xinfo(${quoted})`,
  );
  const keys = columns
    .filter((it) => isTrue(it, 'pk'))
    .toSorted((left, right) => Number(left['pk']) - Number(right['pk']));
  // The only key that is an integer is SQLite's own number of the row.
  const isRowId = keys.length === 1 && /^integer$/i.test(textIn(keys[0] ?? {}, 'type'));
  return {
    name,
    columns: columns.map((it) => columnOf(it, sql, isRowId)),
    primaryKey: keys.map((it) => textIn(it, 'name')),
    foreignKeys: await readKeys(quoted, ask),
    indexes: await readIndexes(quoted, ask),
    checks: checksIn(sql),
    isStrict: isTrue(row, 'strict'),
  };
}

function columnOf(row: AnswerRow, sql: string, isRowId: boolean): FoundColumn {
  const name = textIn(row, 'name');
  const escaped = name.replaceAll(/[^\w]/g, String.raw`\$&`);
  const written = `["\`]?${escaped}["\`]?\\s`;
  const note = new RegExp(`^\\s*${written}[^\\n]*-- (.*)$`, 'm').exec(sql)?.[1];
  const isCaseless = new RegExp(`[\\s(,]${written}[^,]*\\bcollate\\s+nocase\\b`, 'i').test(sql);
  return {
    name,
    type: textIn(row, 'type').toLowerCase(),
    nullable: !isTrue(row, 'required') && !isTrue(row, 'pk'),
    default: textOrNone(row, 'initial'),
    isCounted: isRowId && isTrue(row, 'pk'),
    isGenerated: Number(row['hidden']) > 1,
    isCaseless,
    note,
  };
}

async function readKeys(table: string, ask: Ask): Promise<readonly FoundKey[]> {
  const rows = await ask(
    `select id, seq, "table" as target, "from" as source, "to" as key, lower(on_delete) as rule,
      lower(on_update) as on_change
    from pragma_foreign_key_list(${table}) order by id, seq`,
  );
  const ids = [...new Set(rows.map((row) => String(row['id'])))];
  return ids.toReversed().map((id) => {
    const parts = rows.filter((row) => String(row['id']) === id);
    const [first = {}] = parts;
    return {
      columns: parts.map((row) => textIn(row, 'source')),
      table: textIn(first, 'target'),
      // A foreign key without target columns refers to the primary key.
      targets: parts.flatMap((row) => textOrNone(row, 'key') ?? []),
      onDelete: textIn(first, 'rule').replace('no action', 'restrict'),
      onUpdate: textIn(first, 'on_change').replace('no action', 'restrict'),
    };
  });
}

async function readIndexes(table: string, ask: Ask): Promise<readonly FoundIndex[]> {
  const found: FoundIndex[] = [];
  const list = await ask(
    `select list.name, list."unique" as isunique, sqlite_schema.sql
    from pragma_index_list(${table}) as list left join sqlite_schema on sqlite_schema.name = list.name
    where list.origin <> 'pk' order by list.seq desc`,
  );
  for (const row of list) {
    const name = textIn(row, 'name');
    const keys = await ask(
      `select name, desc from pragma_index_xinfo('${name.replaceAll("'", "''")}') where key = 1 order by seqno`,
    );
    found.push({
      name,
      isUnique: isTrue(row, 'isunique'),
      keys: keys.map((key) => ({
        column: textOrNone(key, 'name') ?? null,
        isDescending: isTrue(key, 'desc'),
      })),
      where: /\)\s*where\s+([^]*)$/i.exec(textIn(row, 'sql'))?.[1],
      method: 'btree',
    });
  }
  return found;
}

/** The expression of each CHECK; texts and comments are skipped. */
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

import type { Catalogue, FoundColumn, FoundIndex, FoundKey } from '../catalogue.ts';
import { type AnswerRow, type Ask, isTrue, textIn, textOrNone } from './answers.ts';

/** Reads the first schema of the search path, but no rows. */
export async function readPostgres(ask: Ask): Promise<Catalogue> {
  const [tables, columns, constraints, indexes, enums, others] = [
    await ask(tablesSql),
    await ask(columnsSql),
    await ask(constraintsSql),
    await ask(indexesSql),
    await ask(enumsSql),
    await ask(othersSql),
  ];
  return {
    engine: 'postgres',
    tables: tables.map((row) => {
      const name = textIn(row, 'name');
      const rules = rowsOf(constraints, name);
      const ofKind = (kind: string) => rules.filter((it) => it['kind'] === kind);
      return {
        name,
        comment: textOrNone(row, 'comment'),
        columns: rowsOf(columns, name).map(columnOf),
        primaryKey: ofKind('p').flatMap((it) => listIn(it, 'columns')),
        foreignKeys: ofKind('f').map(keyOf),
        indexes: rowsOf(indexes, name).map(indexOf),
        checks: ofKind('c').map((it) => textIn(it, 'definition')),
      };
    }),
    enums: new Map(enums.map((row) => [textIn(row, 'name'), listIn(row, 'labels')])),
    others: others.map((row) => ({ kind: textIn(row, 'kind'), name: textIn(row, 'name') })),
  };
}

const rowsOf = (rows: readonly AnswerRow[], name: string) =>
  rows.filter((row) => row['owner'] === name);

function listIn(row: AnswerRow, name: string): readonly string[] {
  const value = row[name];
  return Array.isArray(value) ? value.map(String) : [];
}

function columnOf(row: AnswerRow): FoundColumn {
  return {
    name: textIn(row, 'name'),
    type: textIn(row, 'type'),
    nullable: !isTrue(row, 'required'),
    default: textOrNone(row, 'initial'),
    isCounted: isTrue(row, 'counted'),
    isGenerated: isTrue(row, 'generated'),
    collation: textOrNone(row, 'collation'),
  };
}

function keyOf(row: AnswerRow): FoundKey {
  const rules: Readonly<Record<string, string>> = { c: 'cascade', n: 'set null', d: 'set default' };
  return {
    columns: listIn(row, 'columns'),
    table: textIn(row, 'target'),
    targets: listIn(row, 'targets'),
    onDelete: rules[textIn(row, 'rule')] ?? 'restrict',
    onUpdate: rules[textIn(row, 'update')] ?? 'restrict',
  };
}

function indexOf(row: AnswerRow): FoundIndex {
  const names: unknown = row['columns'];
  const options = listIn(row, 'options').map(Number);
  const all: readonly unknown[] = Array.isArray(names) ? names : [];
  return {
    name: textIn(row, 'name'),
    isUnique: isTrue(row, 'isunique'),
    keys: all.map((name, at) => ({
      column: typeof name === 'string' ? name : null,
      isDescending: ((options[at] ?? 0) & 1) === 1,
    })),
    where: textOrNone(row, 'condition'),
    method: textIn(row, 'method'),
  };
}

const here = `quote_ident(current_schema())::regnamespace`;
const tables = `pg_class.relnamespace = ${here} and pg_class.relkind in ('r', 'p') and not pg_class.relispartition`;

const tablesSql = `
  select relname as name, obj_description(oid, 'pg_class') as comment
  from pg_class where ${tables} order by relname`;

const columnsSql = `
  select relname as owner, attname as name,
    case when typtype = 'e' then typname else format_type(atttypid, atttypmod) end as type,
    attnotnull as required, attgenerated <> '' as generated,
    attidentity <> '' or coalesce(pg_get_expr(adbin, adrelid) like 'nextval(%', false) as counted,
    pg_get_expr(adbin, adrelid) as initial, collname as collation
  from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    join pg_type on pg_type.oid = atttypid
    left join pg_collation on pg_collation.oid = attcollation
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where ${tables} order by relname, attnum`;

const columnNames = (keys: string, table: string) =>
  `(select array_agg(attname::text order by place) from unnest(${keys}) with ordinality as keys (key, place)
    join pg_attribute on attrelid = ${table} and attnum = key)`;

const constraintsSql = `
  select relname as owner, contype as kind, ${columnNames('conkey', 'conrelid')} as columns,
    (select relname from pg_class as there where there.oid = confrelid) as target,
    ${columnNames('confkey', 'confrelid')} as targets, confdeltype as rule, confupdtype as update,
    case contype when 'c' then pg_get_expr(conbin, conrelid) end as definition
  from pg_constraint join pg_class on pg_class.oid = conrelid
  where ${tables} and contype in ('p', 'f', 'c') order by relname, conname`;

const indexesSql = `
  select pg_class.relname as owner, index.relname as name, indisunique as isunique,
    case when indimmediate then amname else 'deferred' end as method,
    (select array_agg(attname::text order by place) from unnest(indkey::int2[]) with ordinality as keys (key, place)
      left join pg_attribute on attrelid = indrelid and attnum = key and key > 0 where place <= indnkeyatts) as columns,
    indoption::int2[] as options, pg_get_expr(indpred, indrelid) as condition
  from pg_class join pg_index on indrelid = pg_class.oid and not indisprimary and indisvalid
    join pg_class as index on index.oid = indexrelid join pg_am on pg_am.oid = index.relam
  where ${tables} order by pg_class.relname, index.relname`;

const enumsSql = `
  select typname as name, array_agg(enumlabel::text order by enumsortorder) as labels
  from pg_type join pg_enum on enumtypid = pg_type.oid where typnamespace = ${here} group by typname`;

const othersSql = `
  select case relkind when 'v' then 'view' when 'm' then 'materialized view' else 'foreign table' end as kind, relname as name
  from pg_class where relnamespace = ${here} and relkind in ('v', 'm', 'f')
  union all
  select 'trigger', relname || '.' || tgname from pg_trigger join pg_class on pg_class.oid = tgrelid
  where ${tables} and not tgisinternal
  union all
  select 'policy', relname || '.' || polname from pg_policy join pg_class on pg_class.oid = polrelid where ${tables}
  union all
  select 'exclusion', relname || '.' || conname from pg_constraint join pg_class on pg_class.oid = conrelid
  where ${tables} and contype = 'x'
  union all
  select 'function', proname from pg_proc where pronamespace = ${here}
    and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
  order by 1, 2`;

import type { Catalogue, FoundColumn, FoundIndex, FoundKey } from '../catalogue.ts';
import type { Ask } from './answers.ts';

/** Of the table with this name. */
interface Owned {
  readonly owner: string;
}

/** `columns` of a primary key, `definition` of a check. */
interface ConstraintRow extends FoundKey, Owned {
  readonly kind: 'p' | 'f' | 'c';
  readonly definition: string;
}

/** Reads the first schema of the search path, but no rows. */
export async function readPostgres(ask: Ask): Promise<Catalogue> {
  const tables = await ask<{ name: string; comment?: string }>(foundTablesSql);
  const columns = await ask<FoundColumn & Owned>(columnsSql);
  const constraints = await ask<ConstraintRow>(constraintsSql);
  const indexes = await ask<FoundIndex & Owned>(indexesSql);
  const enums = await ask<{ name: string; labels: readonly string[] }>(enumsSql);
  return {
    engine: 'postgres',
    tables: tables.map((table) => {
      const isOwn = ({ owner }: Owned) => owner === table.name;
      const ofKind = (kind: ConstraintRow['kind']) =>
        constraints.filter((it) => it.kind === kind && isOwn(it));
      return {
        ...table,
        columns: columns.filter(isOwn),
        primaryKey: ofKind('p').flatMap((it) => it.columns),
        foreignKeys: ofKind('f'),
        indexes: indexes.filter(isOwn),
        checks: ofKind('c').map(({ definition }) => definition),
      };
    }),
    enums: new Map(enums.map(({ name, labels }) => [name, labels])),
    others: await ask(othersSql),
  };
}

const here = `quote_ident(current_schema())::regnamespace`;
const tables = `pg_class.relnamespace = ${here} and pg_class.relkind in ('r', 'p') and not pg_class.relispartition`;

const foundTablesSql = `
  select relname as name, obj_description(oid, 'pg_class') as comment
  from pg_class where ${tables} order by relname`;

const columnsSql = `
  select relname as owner, attname as name,
    case when typtype = 'e' then typname else format_type(atttypid, atttypmod) end as type,
    not attnotnull as nullable, attgenerated <> '' as "isGenerated",
    attidentity <> '' or coalesce(pg_get_expr(adbin, adrelid) like 'nextval(%', false) as "isCounted",
    pg_get_expr(adbin, adrelid) as "default", collname as collation
  from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    join pg_type on pg_type.oid = atttypid
    left join pg_collation on pg_collation.oid = attcollation
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where ${tables} order by relname, attnum`;

const columnNames = (keys: string, table: string) =>
  `(select array_agg(attname::text order by place) from unnest(${keys}) with ordinality as keys (key, place)
    join pg_attribute on attrelid = ${table} and attnum = key)`;

const actionSql = (letter: string) =>
  `case ${letter} when 'c' then 'cascade' when 'n' then 'set null' when 'd' then 'set default' else 'restrict' end`;

const constraintsSql = `
  select relname as owner, contype as kind, ${columnNames('conkey', 'conrelid')} as columns,
    (select relname from pg_class as there where there.oid = confrelid) as "table",
    ${columnNames('confkey', 'confrelid')} as targets,
    ${actionSql('confdeltype')} as "onDelete", ${actionSql('confupdtype')} as "onUpdate",
    case contype when 'c' then pg_get_expr(conbin, conrelid) end as definition
  from pg_constraint join pg_class on pg_class.oid = conrelid
  where ${tables} and contype in ('p', 'f', 'c') order by relname, conname`;

const indexesSql = `
  select pg_class.relname as owner, index.relname as name, indisunique as "isUnique",
    case when indimmediate then amname else 'deferred' end as method,
    (select json_agg(json_build_object('column', attname, 'isDescending', (indoption[(place - 1)::int] & 1) = 1) order by place)
      from unnest(indkey::int2[]) with ordinality as keys (key, place)
      left join pg_attribute on attrelid = indrelid and attnum = key and key > 0 where place <= indnkeyatts) as keys,
    pg_get_expr(indpred, indrelid) as "where"
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

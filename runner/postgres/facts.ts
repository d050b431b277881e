import { type Client, DatabaseError } from 'pg';
import { inTransaction, withClient } from './client.ts';
import { compareSchemas, type Difference, type FoundRows, type SchemaFacts } from '../checks.ts';
import { MigrationError, type RowCheck } from '../history.ts';

/** How the database differs from what `migrations/schema.sql` makes of an empty one. */
export function findDrift(url: string, schemaSql: string): Promise<readonly Difference[]> {
  return withClient(url, async (client) => {
    const { expected, found } = await bothFacts(client, schemaSql, readAllFacts);
    return compareSchemas(expected, found);
  });
}

/** What the SQL would make, and what there is. */
export async function bothFacts(
  client: Client,
  schemaSql: string,
  read = readFacts,
): Promise<{ readonly expected: SchemaFacts; readonly found: SchemaFacts }> {
  await refuseNoWrites(client);
  await refuseMissingRights(client, [temporaryTables]);
  return { expected: await expectedFacts(client, schemaSql, read), found: await read(client) };
}

/** Where something is to be known by making tables for a moment. */
const temporaryTables = `
  select format('grant temporary on database %I to %I', current_database(), current_user) as missing
  where not has_database_privilege(current_database(), 'temporary')
`;

const newTables = `
  select format('grant usage, create on schema %I to %I', coalesce(current_schema(), 'public'), current_user) as missing
  where has_schema_privilege(current_schema(), 'create') is not true
`;

const ownTables = `
  select format('alter table %I owner to %I', relname, current_user) as missing from pg_class
  where relnamespace = quote_ident(current_schema())::regnamespace and relkind in ('r', 'p') and relname = any($1)
    and not pg_has_role(relowner, 'usage')
`;

/** Each of these answers with the SQL that gives the role what it lacks. */
async function refuseMissingRights(
  client: Client,
  rights: readonly string[],
  tables?: readonly string[],
): Promise<void> {
  const query = `${rights.join(' union all ')} order by 1`;
  const { rows } = await client.query<{ missing: string }>(query, tables && [tables]);
  if (rows.length === 0) return;
  throw new MigrationError(
    `The role of DATABASE_URL lacks rights that this needs. Nothing was changed. Use another role, or let the owner run \`${rows.map(({ missing }) => missing).join('; ')}\`.`,
  );
}

/** To know what is applied takes a table of our own. */
export async function refuseReadOnly(client: Client): Promise<void> {
  await refuseNoWrites(client);
  await refuseMissingRights(client, [newTables]);
}

async function refuseNoWrites(client: Client): Promise<void> {
  const { rows } = await client.query<{ reason: string }>(`
    select case when pg_is_in_recovery() then 'it is a standby, which follows another server'
      else '\`default_transaction_read_only\` is on' end as reason
    where current_setting('transaction_read_only')::boolean`);
  for (const { reason } of rows) {
    throw new MigrationError(
      `The database takes no writes here: ${reason}. Nothing was changed. Use the server that takes them.`,
    );
  }
}

/** To apply something takes more: tables change at the word of their owner only. */
export async function refusePoorRole(client: Client, tables: readonly string[]): Promise<void> {
  await refuseMissingRights(client, [temporaryTables, ownTables], tables);
}

/** The tables are made as temporary ones, which meet nobody, and are gone again at once. */
export async function expectedFacts(
  client: Client,
  schemaSql: string,
  read = readFacts,
): Promise<SchemaFacts> {
  await client.query('begin; set local search_path = pg_temp');
  try {
    await client.query(schemaSql.replace(ownFunctions, 'pg_temp.$&'));
    return await read(client);
  } finally {
    await client.query('rollback');
  }
}

/** PostgreSQL looks for no function among what is temporary, unless it is told to. */
const ownFunctions = /\b(?:keep|correct)_row_counts\(/g;

/** What the first schema of the search path holds, as PostgreSQL itself would write it down. */
export async function readFacts(client: Client): Promise<SchemaFacts> {
  const { rows } = await client.query<{ object: string; definition: string }>(facts);
  return new Map(rows.map(({ object, definition }) => [object, definition]));
}

/**
 * All but the order of columns, of the values of a type and the names of primary keys. What means the same has one spelling:
 * a list, a decimal, a moment to the microsecond, an id that is counted, and a key that cannot wait, which restricts by
 * RESTRICT as by NO ACTION.
 */
const facts = `
  with tables as (
    select oid, relname as name, relpersistence as persistence, relrowsecurity as secured,
      relforcerowsecurity as forced, relowner as owner, relacl as acl
    from pg_class
    where relnamespace = quote_ident(current_schema())::regnamespace and relkind in ('r', 'p')
      and relname not in ('schema_migrations', 'schema_migration_steps')
  )
  select 'table ' || name as object, case persistence when 'u' then 'unlogged' else '' end as definition
  from tables
  union all
  select 'column ' || name || '.' || attname,
    concat_ws(' ', regexp_replace(format_type(atttypid, atttypmod), '^timestamp with', 'timestamp(6) with'),
      case when attcollation <> typcollation then 'collate ' || attcollation::regcollation end,
      case when attnotnull then 'not null' end,
      case when attidentity = 'd' or initial = serial then 'generated by default as identity'
        when attidentity = 'a' then 'generated always as identity' end,
      case attgenerated when '' then 'default ' else 'generated always as ' end ||
        case when atttypid = 'numeric'::regtype and initial ~ '^[(''-]*\\d+(\\.\\d+)?[)'']*(::\\w+)?$'
          then trim_scale(substring(initial from '-?\\d+(?:\\.\\d+)?')::numeric)::text
        when initial ~ '^ARRAY\\[(''\\w+''::text(, )?)+\\]$'
          then quote_literal('{' || regexp_replace(substring(initial from 7), '''::text|''|[] ]', '', 'g') || '}') || '::text[]'
        else regexp_replace(nullif(initial, serial), '^ARRAY\\[\\]::', '''{}''::') end)
  from tables join pg_attribute on attrelid = tables.oid and attnum > 0 and not attisdropped
    join pg_type on pg_type.oid = atttypid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    cross join lateral (
      select pg_get_expr(adbin, adrelid) as initial,
        format('nextval(%L::regclass)', pg_get_serial_sequence(quote_ident(name), attname)::regclass) as serial
    ) as defaults
  union all
  select 'type ' || typname, string_agg(quote_literal(enumlabel), ', ' order by enumsortorder)
  from pg_type join pg_enum on enumtypid = pg_type.oid
  where typnamespace = quote_ident(current_schema())::regnamespace
    and pg_type.oid in (select atttypid from tables join pg_attribute on attrelid = tables.oid)
  group by typname
  union all
  select case contype when 'p' then 'primary key of ' || name else 'constraint ' || name || '.' || conname end,
    case when contype = 'f' and not condeferrable then replace(pg_get_constraintdef(pg_constraint.oid), ' ON DELETE RESTRICT', '')
      else pg_get_constraintdef(pg_constraint.oid) end || case when exists (
      select from pg_trigger where tgconstraint = pg_constraint.oid and tgenabled = 'D'
    ) then ' (switched off)' else '' end
  from tables join pg_constraint on conrelid = tables.oid and contype in ('c', 'f', 'p', 'u', 'x')
  union all
  select 'index ' || index.relname,
    pg_get_indexdef(indexrelid, 0, true) || case when indisvalid then '' else ' (invalid)' end
  from tables join pg_index on indrelid = tables.oid and not indisprimary
    join pg_class as index on index.oid = indexrelid
  union all
  select 'trigger ' || name || '.' || tgname,
    regexp_replace(pg_get_triggerdef(pg_trigger.oid, true), 'pg_temp(_\\d+)?\\.', '')
      || case tgenabled when 'D' then ' (switched off)' else '' end
  from tables join pg_trigger on tgrelid = tables.oid and not tgisinternal
  union all
  select 'function ' || proname, prosrc from pg_proc
  where pronamespace = quote_ident(current_schema())::regnamespace
    and proname in ('keep_row_counts', 'correct_row_counts')
  union all
  select 'row security of ' || name, case when forced then 'forced' else 'enabled' end
  from tables where secured
  union all
  select 'policy ' || name || '.' || polname, '' from tables join pg_policy on polrelid = tables.oid
  union all
  select 'grant ' || name || '.' || coalesce(rolname, 'public'), string_agg(privilege_type, ', ' order by privilege_type)
  from tables cross join aclexplode(acl) left join pg_roles on pg_roles.oid = grantee
  where grantee <> owner group by name, rolname
  union all
  select 'grant ' || name || '.' || attname || '.' || coalesce(rolname, 'public'), string_agg(privilege_type, ', ' order by privilege_type)
  from tables join pg_attribute on attrelid = tables.oid and attnum > 0 and not attisdropped
    cross join aclexplode(attacl) left join pg_roles on pg_roles.oid = grantee
  where grantee <> owner group by name, attname, rolname
`;

interface Counter {
  readonly column: string;
  readonly behind: string;
}

/**
 * With what rows are counted by, which is no matter of a migration: counters of ids that are behind the rows give out
 * an id twice, and totals that are not those of the rows come of triggers that were off.
 */
async function readAllFacts(client: Client): Promise<SchemaFacts> {
  const { rows } = await client.query<Counter>(counters);
  const all = new Map(await readFacts(client));
  const tables = await client.query<Total>(totals);
  for (const { table, wrong } of tables.rows) {
    const { rowCount } = await client.query(wrong);
    all.set(`total of ${table}`, rowCount === 0 ? rightTotal : wrongTotal(table));
  }
  for (const { column, behind } of rows) {
    const { rowCount } = await client.query(behind);
    all.set(`sequence ${column}`, rowCount === 0 ? 'ahead of its rows' : 'behind its rows');
  }
  return all;
}

const rightTotal = 'as many as there are rows';

function wrongTotal(table: string): string {
  return `not that of its rows: insert into row_counts (name) values ('${table.replaceAll("'", "''")}')`;
}

interface Total {
  readonly table: string;
  readonly wrong: string;
}

/** Each with a query that finds a row when the total is wrong. */
const totals = `
  select relname as table, format(
    'select from (select count(*) as total, count(%1$s) as deleted from %2$I) as found
      where (total, deleted) <> (select coalesce(sum(total), 0), coalesce(sum(deleted), 0) from row_counts where name = %2$L)',
    coalesce(quote_ident(split_part(encode(marks.tgargs, 'escape'), '\\000', 1)), 'null'), relname) as wrong
  from pg_class join pg_trigger as counts on counts.tgrelid = pg_class.oid and counts.tgname = 'row_counts_insert'
    left join pg_trigger as marks on marks.tgrelid = pg_class.oid and marks.tgname = 'row_counts_deleted_insert'
  where relnamespace = quote_ident(current_schema())::regnamespace
`;

/** Each with a query that finds a row when it is behind. */
const counters = `
  select relname || '.' || attname as column,
    format('select from %s where (select max(%I) from %I) > last_value - case when is_called then 0 else 1 end',
      pg_get_serial_sequence(quote_ident(relname), attname), attname, relname) as behind
  from pg_class join pg_attribute on attrelid = pg_class.oid and (attidentity <> '' or atthasdef)
  where relnamespace = quote_ident(current_schema())::regnamespace and relkind = 'r'
    and pg_get_serial_sequence(quote_ident(relname), attname) is not null
`;

export function findRows(url: string, checks: readonly RowCheck[]): Promise<readonly FoundRows[]> {
  return withClient(url, (client) =>
    inTransaction(client, () => countRows(client, checks), 'begin; set local row_security = off'),
  );
}

export async function countRows(
  client: Client,
  checks: readonly RowCheck[],
): Promise<readonly FoundRows[]> {
  const found: FoundRows[] = [];
  for (const check of checks) {
    const { rows } = await client
      .query<string[]>({ text: check.count, rowMode: 'array' })
      .catch(explainPolicies);
    found.push({ ...check, rows: Number(rows[0]?.[0]) });
  }
  return found;
}

/** Where a policy hides rows from this role, PostgreSQL refuses to read: see the settings of the session. */
export async function refuseHiddenRows(client: Client, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await client
      .query(`select from ${client.escapeIdentifier(table)} limit 0`)
      .catch(explainPolicies);
  }
}

function explainPolicies(error: unknown): never {
  if (!(error instanceof DatabaseError) || !error.message.includes('row-level security'))
    throw error;
  throw new MigrationError(
    `${error.message}. A migration has to see every row: run it as a role with BYPASSRLS. Nothing was changed.`,
    { cause: error },
  );
}

/** Something that stands on a table, and goes with a column of it without a word. */
interface Part {
  /** `index posts_own` */
  readonly object: string;
  readonly name: string;
  readonly table: number;
}

/** What stands on tables before a step; `refuse` throws when the step has taken some of it along unnamed. */
export async function watchParts(client: Client, sql: string) {
  const before = await readParts(client);
  return {
    async refuse(): Promise<void> {
      const after = new Set((await readParts(client)).map(({ object }) => object));
      const gone = before.filter(({ object, name }) => !after.has(object) && !isNamed(name, sql));
      const tables = await readTables(client);
      const lost = gone.filter(({ table }) => tables.has(table)).map(({ object }) => object);
      if (lost.length === 0) return;
      throw new MigrationError(
        `It would take along what you made in the database: ${lost.join(', ')}. Drop that first, or in up.sql, where you can make it again as it is to be.`,
      );
    },
  };
}

function isNamed(name: string, sql: string): boolean {
  const escaped = name.replace(/[^\w]/g, '\\$&');
  return new RegExp(`(?<![\\w$])${escaped}(?![\\w$])`).test(sql);
}

async function readParts(client: Client): Promise<readonly Part[]> {
  const { rows } = await client.query<Part>(`
    with tables as (
      select oid, relname as place from pg_class
      where relnamespace = quote_ident(current_schema())::regnamespace and relkind in ('r', 'p')
    )
    select 'index ' || relname as object, relname as name, tables.oid as table
    from tables join pg_index on indrelid = tables.oid join pg_class on pg_class.oid = indexrelid
    union all
    select 'constraint ' || conname || ' of ' || place, conname, tables.oid
    from tables join pg_constraint on conrelid = tables.oid and contype in ('c', 'f', 'u', 'x')
    union all
    select 'statistics ' || stxname, stxname, tables.oid
    from tables join pg_statistic_ext on stxrelid = tables.oid
  `);
  return rows;
}

async function readTables(client: Client): Promise<ReadonlySet<number>> {
  const { rows } = await client.query<{ oid: number }>(
    `select oid from pg_class where relkind in ('r', 'p')`,
  );
  return new Set(rows.map(({ oid }) => oid));
}

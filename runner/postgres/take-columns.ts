import type { Client } from 'pg';
import { isTheirDefault } from '../checks.ts';
import {
  type SchemaPart,
  type ComparedSchemas,
  inSmallLetters,
  isTakenUser,
  lacking,
  listParts,
  passwordFrom,
  rolesIn,
  sharedAddress,
  sharedAddresses,
  sharedKey,
  type TakeoverStep,
  unknownRoles,
  withoutValue,
} from '../plan-takeover.ts';
import {
  addedColumn,
  type Change,
  changedColumn,
  isNarrowed,
  newColumn,
  readShape,
  tooLarge,
} from './take-column.ts';
import { quoteName } from '../statements.ts';

export interface ChangedTable {
  readonly table: string;
  readonly steps: readonly TakeoverStep[];
  readonly obstacles: readonly string[];
  /** Columns that change their type or their collation. */
  readonly retyped: readonly string[];
  /** Whether the primary key moves to another column. */
  readonly isRekeyed: boolean;
  /** Whether times without a zone get one. */
  readonly isZoned: boolean;
  /** Enum types of columns that become texts. */
  readonly enums: readonly string[];
}

/** One statement for each table, which is rewritten at most once. */
export async function changeColumns(
  client: Client,
  tables: readonly string[],
  both: ComparedSchemas,
): Promise<readonly ChangedTable[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format_type(oid, null) as name from pg_type where typtype = 'e'`,
  );
  const enums = new Set(rows.map(({ name }) => name));
  const changed: ChangedTable[] = [];
  for (const table of tables) changed.push(await changeTable(client, table, { ...both, enums }));
  return changed;
}

async function changeTable(
  client: Client,
  table: string,
  { expected, found, enums }: ComparedSchemas & { readonly enums: ReadonlySet<string> },
): Promise<ChangedTable> {
  const [columns, there] = [
    listParts(expected, 'column', table),
    listParts(found, 'column', table),
  ];
  const isUser = isTakenUser({ expected, found }, table);
  const changes: Change[] = [];
  const retyped: string[] = [];
  const obstacles: string[] = isUser ? await userObstacles(client, table, { expected, there }) : [];
  for (const column of columns) {
    const result = await changeColumn(client, column, { table, there, isUser, enums });
    const changed = result.filter((it) => typeof it !== 'string');
    if (changed.some((change) => change.isRetyped)) retyped.push(column.name);
    changes.push(...changed);
    obstacles.push(...result.filter((it) => typeof it === 'string'));
  }
  const isZoned = changes.some((change) => change.isZoned);
  const key = await changedKey(client, table, { expected, found });
  obstacles.push(...key.obstacles);
  const letters = isUser ? smallLetters(table, there) : [];
  const steps = makeSteps(table, [...key.changes, ...changes, ...letters]);
  const isRekeyed = key.changes.length > 0;
  const types = listEnums(columns, there, enums);
  return { table, obstacles, retyped, isZoned, isRekeyed, enums: types, steps };
}

interface ColumnScope {
  readonly table: string;
  readonly there: readonly SchemaPart[];
  readonly isUser: boolean;
  readonly enums: ReadonlySet<string>;
}

/** Its changes; texts say what stands in the way. */
async function changeColumn(
  client: Client,
  { name, definition }: SchemaPart,
  { table, there, isUser, enums }: ColumnScope,
): Promise<readonly (Change | string)[]> {
  const old = there.find((it) => it.name === name)?.definition;
  if (old === definition || (old !== undefined && isTheirDefault(definition, old))) return [];
  if (old === undefined) {
    const added = addedColumn({ name, definition }, { table, there, isUser });
    if (added !== undefined) return [added];
    const isEmpty = (await rowsIn(client, table)) === 0;
    return [isEmpty ? newColumn(name, definition) : lacking(table, name)];
  }
  const [was, is] = [readShape(old), readShape(definition)];
  const found = [changedColumn(name, { table, was, is, enums })];
  if (isNarrowed(was.type, is.type)) {
    const beyond = `where ${quoteName(name)} not between -2147483648 and 2147483647`;
    const rows = await rowsIn(client, table, beyond);
    if (rows > 0) found.push(tooLarge(table, name, rows));
  }
  if (was.required || !is.required) return found;
  if (isUser && name === 'password') return [...found, filledPassword(table, there)];
  const rows = await rowsIn(client, table, `where ${quoteName(name)} is null`);
  const isMoment = is.type.startsWith('timestamp');
  if (rows === 0) return found;
  return [...found, withoutValue({ table, column: name, rows, isUser, isMoment })];
}

/** Enum types of columns that are texts here. */
function listEnums(
  columns: readonly SchemaPart[],
  there: readonly SchemaPart[],
  enums: ReadonlySet<string>,
): readonly string[] {
  const types = columns.flatMap(({ name, definition }) => {
    const old = there.find((it) => it.name === name);
    const [was, is] = [old?.definition, definition].map((it) => it && readShape(it).type);
    return was === undefined || was === is ? [] : [was.replace('[]', '')];
  });
  return [...new Set(types)].filter((type) => enums.has(type));
}

async function userObstacles(
  client: Client,
  table: string,
  {
    expected,
    there,
  }: Pick<ComparedSchemas, 'expected'> & { readonly there: readonly SchemaPart[] },
): Promise<string[]> {
  const obstacles: string[] = [];
  if (there.some(({ name }) => name === 'email')) {
    const { rows } = await client.query<{ count: string }>(sharedAddresses(quoteName(table)));
    obstacles.push(...sharedAddress(table, Number(rows[0]?.count)));
  }
  const roles = rolesIn(quoteName(table), there, (name) => `${quoteName(name)}::text`);
  if (roles !== undefined) {
    const { rows } = await client.query<{ role: string }>(roles);
    const check = listParts(expected, 'constraint', table)
      .map(({ definition }) => definition)
      .find((it) => it.startsWith('CHECK ((role = '));
    obstacles.push(
      ...unknownRoles(
        table,
        rows.map(({ role }) => role),
        check,
      ),
    );
  }
  return obstacles;
}

/** The password of users who have none. */
function filledPassword(table: string, there: readonly SchemaPart[]): Change {
  const statement = `UPDATE ${quoteName(table)} SET password = ${passwordFrom(there, quoteName)} WHERE password IS NULL;`;
  return { clauses: [], words: '', rewrites: false, before: [statement] };
}

function smallLetters(table: string, there: readonly SchemaPart[]): readonly Change[] {
  const columns = inSmallLetters(there, quoteName);
  if (columns.length === 0) return [];
  return [
    {
      clauses: [],
      words: `${columns.map(({ name }) => name).join(' and ')} in small letters`,
      rewrites: false,
      after: columns.map(
        ({ name, value }) =>
          `UPDATE ${quoteName(table)} SET ${quoteName(name)} = ${value} WHERE ${quoteName(name)} <> ${value};`,
      ),
    },
  ];
}

async function rowsIn(client: Client, table: string, where = ''): Promise<number> {
  const { rows } = await client.query<{ rows: string }>(
    `select count(*) as rows from (select from ${quoteName(table)} ${where} limit 1000000) as found`,
  );
  return Number(rows[0]?.rows);
}

function makeSteps(table: string, changes: readonly Change[]): readonly TakeoverStep[] {
  if (changes.length === 0) return [];
  const words = changes.map((change) => change.words).filter((it) => it !== '');
  const rewrites = changes.some((change) => change.rewrites);
  const way = rewrites ? 'is rewritten, and nobody can use it meanwhile' : 'changes';
  const clauses = changes.flatMap((change) => change.clauses);
  return [
    {
      title: `${table} ${way}: ${words.join(', ')}.`,
      statements: [
        ...changes.flatMap(({ before = [] }) => before),
        `ALTER TABLE ${quoteName(table)}\n  ${clauses.join(',\n  ')};`,
        ...changes.flatMap(({ after = [] }) => after),
      ],
    },
  ];
}

/** Replaces a primary key of other columns, if `id` is new or was only a part of it. */
async function changedKey(
  client: Client,
  table: string,
  { expected, found }: ComparedSchemas,
): Promise<{ readonly changes: readonly Change[]; readonly obstacles: readonly string[] }> {
  const object = `primary key of ${table}`;
  const key = expected.get(object);
  if (key === undefined || found.get(object) === key) return { changes: [], obstacles: [] };
  const { rows } = await client.query<{ name: string }>(
    `select conname as name from pg_constraint where conrelid = to_regclass($1) and contype = 'p'`,
    [quoteName(table)],
  );
  const drops = rows.map(({ name }) => `DROP CONSTRAINT ${quoteName(name)}`);
  const columns = key.replace(/^PRIMARY KEY \((.*)\)$/, '$1');
  const words = `its key is ${columns}`;
  const isThere = columns.split(', ').every((it) => found.has(`column ${table}.${it}`));
  const isTwice =
    isThere && (await rowsIn(client, table, `group by ${columns} having count(*) > 1`)) > 0;
  return {
    changes: [{ clauses: [...drops, `ADD ${key}`], words, rewrites: false }],
    obstacles: isTwice ? [sharedKey(table, columns)] : [],
  };
}

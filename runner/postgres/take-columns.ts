import type { Client } from 'pg';
import { isTheirDefault } from '../checks.ts';
import {
  type Fact,
  type Facts,
  inSmallLetters,
  isTakenUser,
  lacking,
  partsOf,
  passwordFrom,
  rolesIn,
  sharedAddress,
  sharedAddresses,
  sharedKey,
  type TakeoverStep,
  unknownRoles,
  withoutValue,
} from '../plan-takeover.ts';

export interface ChangedTable {
  readonly table: string;
  readonly steps: readonly TakeoverStep[];
  readonly obstacles: readonly string[];
  /** Whether a column gets another type, or another order of its texts. */
  readonly isRetyped: boolean;
  /** Whether another column becomes its key. */
  readonly isRekeyed: boolean;
  /** Whether times without a zone get one. */
  readonly isZoned: boolean;
  /** Types of columns that become texts. */
  readonly enums: readonly string[];
}

/** One statement a table, which rewrites it once at most. */
export async function changeColumns(
  client: Client,
  tables: readonly string[],
  both: Facts,
): Promise<readonly ChangedTable[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format_type(oid, null) as name from pg_type where typtype = 'e'`,
  );
  const enums = new Set(rows.map(({ name }) => name));
  const changed: ChangedTable[] = [];
  for (const table of tables) changed.push(await changeTable(client, table, { ...both, enums }));
  return changed;
}

interface Change {
  /** Of one ALTER TABLE. */
  readonly clauses: readonly string[];
  readonly words: string;
  readonly rewrites: boolean;
  readonly isRetyped?: boolean;
  readonly isZoned?: boolean;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

async function changeTable(
  client: Client,
  table: string,
  { expected, found, enums }: Facts & { readonly enums: ReadonlySet<string> },
): Promise<ChangedTable> {
  const [columns, there] = [partsOf(expected, 'column', table), partsOf(found, 'column', table)];
  const isUser = isTakenUser({ expected, found }, table);
  const changes: Change[] = [];
  const obstacles: string[] = isUser ? await userObstacles(client, table, { expected, there }) : [];
  for (const { name, definition } of columns) {
    const old = there.find((it) => it.name === name)?.definition;
    if (old === definition || (old !== undefined && isTheirDefault(definition, old))) continue;
    const [was, is] = [old === undefined ? undefined : shapeOf(old), shapeOf(definition)];
    const change =
      was === undefined
        ? addedColumn({ name, definition }, { table, there, isUser })
        : changedColumn(name, { table, was, is, enums });
    const isEmpty =
      change === undefined && was === undefined && (await rowsIn(client, table)) === 0;
    if (isEmpty) changes.push(newColumn(name, definition));
    else if (typeof change === 'string') obstacles.push(change);
    else if (change === undefined) obstacles.push(lacking(table, name));
    else changes.push(change);
    if (was !== undefined && isNarrowed(was.type, is.type)) {
      const beyond = `where ${quote(name)} not between -2147483648 and 2147483647`;
      const rows = await rowsIn(client, table, beyond);
      if (rows > 0) obstacles.push(tooLarge(table, name, rows));
    }
    if (was === undefined || was.required || !is.required) continue;
    if (isUser && name === 'password') {
      changes.push(filledPassword(table, there));
      continue;
    }
    const rows = await rowsIn(client, table, `where ${quote(name)} is null`);
    const isMoment = is.type.startsWith('timestamp');
    if (rows > 0) obstacles.push(withoutValue({ table, column: name, rows, isUser, isMoment }));
  }
  const isRetyped = changes.some((change) => change.isRetyped);
  const isZoned = changes.some((change) => change.isZoned);
  const key = await changedKey(client, table, { expected, found });
  obstacles.push(...key.obstacles);
  const letters = isUser ? smallLetters(table, there) : [];
  const steps = stepsOf(table, [...key.changes, ...changes, ...letters]);
  const isRekeyed = key.changes.length > 0;
  const types = enumsOf(columns, there, enums);
  return { table, obstacles, isRetyped, isZoned, isRekeyed, enums: types, steps };
}

/** Of columns that are texts here. */
function enumsOf(
  columns: readonly Fact[],
  there: readonly Fact[],
  enums: ReadonlySet<string>,
): readonly string[] {
  const types = columns.flatMap(({ name, definition }) => {
    const old = there.find((it) => it.name === name);
    const [was, is] = [old?.definition, definition].map((it) => it && shapeOf(it).type);
    return was === undefined || was === is ? [] : [was.replace('[]', '')];
  });
  return [...new Set(types)].filter((type) => enums.has(type));
}

async function userObstacles(
  client: Client,
  table: string,
  { expected, there }: Pick<Facts, 'expected'> & { readonly there: readonly Fact[] },
): Promise<string[]> {
  const obstacles: string[] = [];
  if (there.some(({ name }) => name === 'email')) {
    const { rows } = await client.query<{ count: string }>(sharedAddresses(quote(table)));
    obstacles.push(...sharedAddress(table, Number(rows[0]?.count)));
  }
  const roles = rolesIn(quote(table), there, (name) => `${quote(name)}::text`);
  if (roles !== undefined) {
    const { rows } = await client.query<{ role: string }>(roles);
    const check = partsOf(expected, 'constraint', table)
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

/** Of users who have none. */
function filledPassword(table: string, there: readonly Fact[]): Change {
  const statement = `UPDATE ${quote(table)} SET password = ${passwordFrom(there, quote)} WHERE password IS NULL;`;
  return { clauses: [], words: '', rewrites: false, before: [statement] };
}

function smallLetters(table: string, there: readonly Fact[]): readonly Change[] {
  const columns = inSmallLetters(there, quote);
  if (columns.length === 0) return [];
  return [
    {
      clauses: [],
      words: `${columns.map(({ name }) => name).join(' and ')} in small letters`,
      rewrites: false,
      after: columns.map(
        ({ name, value }) =>
          `UPDATE ${quote(table)} SET ${quote(name)} = ${value} WHERE ${quote(name)} <> ${value};`,
      ),
    },
  ];
}

async function rowsIn(client: Client, table: string, where = ''): Promise<number> {
  const { rows } = await client.query<{ rows: string }>(
    `select count(*) as rows from (select from ${quote(table)} ${where} limit 1000000) as found`,
  );
  return Number(rows[0]?.rows);
}

function stepsOf(table: string, changes: readonly Change[]): readonly TakeoverStep[] {
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
        `ALTER TABLE ${quote(table)}\n  ${clauses.join(',\n  ')};`,
        ...changes.flatMap(({ after = [] }) => after),
      ],
    },
  ];
}

interface Shape {
  readonly type: string;
  readonly collation: string | undefined;
  readonly required: boolean;
  readonly isCounted: boolean;
  readonly initial: string | undefined;
  readonly isGenerated: boolean;
}

/** `text collate "C" not null default 'x'::text` */
function shapeOf(definition: string): Shape {
  const [, type = '', collation, required, counted, initial, generated] =
    /^(.*?)(?: collate (\S+))?( not null)?( generated (?:by default|always) as identity)?(?: default (.*))?( generated always as .*)?$/s.exec(
      definition,
    ) ?? [];
  return {
    type,
    collation,
    required: required !== undefined,
    isCounted: counted !== undefined,
    initial,
    isGenerated: generated !== undefined,
  };
}

interface NewColumn {
  readonly table: string;
  readonly there: readonly Fact[];
  readonly isUser: boolean;
}

/** Undefined where the rows that there are have nothing to put there. */
function addedColumn({ name, definition }: Fact, place: NewColumn): Change | undefined {
  const { required, isCounted, initial, type } = shapeOf(definition);
  if (!required || initial !== undefined) return newColumn(name, definition);
  const column = quote(name);
  const table = quote(place.table);
  if (isCounted) {
    return { ...newColumn(name, definition), rewrites: true };
  }
  if (place.isUser && name === 'password') {
    const optional = definition.replace(' not null', '');
    return {
      ...newColumn(name, optional),
      after: [
        `UPDATE ${table} SET ${column} = ${passwordFrom(place.there, quote)};`,
        `ALTER TABLE ${table} ALTER COLUMN ${column} SET NOT NULL;`,
      ],
    };
  }
  if (!place.isUser || !type.startsWith('timestamp')) return undefined;
  return {
    ...newColumn(name, `${definition} DEFAULT now()`),
    after: [`ALTER TABLE ${table} ALTER COLUMN ${column} DROP DEFAULT;`],
  };
}

function newColumn(name: string, definition: string): Change {
  const clauses = [`ADD COLUMN ${quote(name)} ${definition}`];
  return { clauses, words: `${name} is new`, rewrites: false };
}

interface OldColumn {
  readonly table: string;
  readonly was: Shape;
  readonly is: Shape;
  readonly enums: ReadonlySet<string>;
}

/** A sentence where its values cannot become those of the new type. */
function changedColumn(name: string, { table, was, is, enums }: OldColumn): Change | string {
  const column = `ALTER COLUMN ${quote(name)}`;
  const isRetyped = was.type !== is.type || was.collation !== is.collation;
  const cast = isRetyped ? castOf(was.type, is.type, enums) : undefined;
  if (isRetyped && cast === undefined) {
    return `The column ${table}.${name} is ${was.type} and would have to be ${is.type}. Change it, or say in schema.yaml what it is.`;
  }
  const { using, words = '', rewrites = false } = cast ?? {};
  const collation = is.collation === undefined ? '' : ` COLLATE ${is.collation}`;
  const value = using === undefined ? '' : ` USING ${using(quote(name))}`;
  const isReset = was.initial !== is.initial || was.isCounted !== is.isCounted;
  const type = isRetyped ? [`${column} TYPE ${is.type}${collation}${value}`] : [];
  const clauses = [
    ...(was.isGenerated ? [`${column} DROP EXPRESSION`] : []),
    ...(isReset && was.initial !== undefined ? [`${column} DROP DEFAULT`] : []),
    ...(isReset && was.isCounted ? [`${column} DROP IDENTITY`] : []),
    ...type,
    ...(isReset && is.initial !== undefined ? [`${column} SET DEFAULT ${is.initial}`] : []),
    ...(isReset && is.isCounted ? [`${column} ADD GENERATED BY DEFAULT AS IDENTITY`] : []),
    ...(is.required && !was.required ? [`${column} SET NOT NULL`] : []),
    ...(was.required && !is.required ? [`${column} DROP NOT NULL`] : []),
  ];
  return {
    clauses,
    words: isRetyped ? `${name} becomes ${is.type}${words}` : `${name} becomes ${described(is)}`,
    rewrites,
    isRetyped,
    isZoned: was.type.endsWith(zoneless) && is.type.endsWith(zoned),
    ...(isReset && is.isCounted ? countOn(table, name, was.initial) : {}),
    ...(!isReset && is.isCounted && isRetyped ? { after: [countsAs(is.type, table, name)] } : {}),
  };
}

function described({ type, required, isCounted, initial }: Shape): string {
  if (isCounted) return 'an identity';
  return `${type} ${required ? 'NOT NULL' : 'NULL'}${initial === undefined ? '' : ` DEFAULT ${initial}`}`;
}

/** The sequence of a `serial` keeps its type when the column gets another one. */
function countsAs(type: string, table: string, name: string): string {
  return `DO $$ BEGIN EXECUTE format('ALTER SEQUENCE %s AS ${type}', ${counterOf(table, name)}); END $$;`;
}

/** No id is given out again that the old sequence has given out. */
function countOn(
  table: string,
  name: string,
  initial = '',
): Required<Pick<Change, 'before' | 'after'>> {
  const [, old] = /^nextval\('(.*)'::regclass\)$/.exec(initial) ?? [];
  const highest = `(SELECT coalesce(max(${quote(name)}), 1) FROM ${quote(table)})`;
  const last = old === undefined ? '' : `, (SELECT last_value FROM ${old})`;
  const start = `SELECT setval(${counterOf(table, name)}, greatest(${highest}${last}));`;
  if (old === undefined) return { before: [], after: [start] };
  return {
    before: [`ALTER SEQUENCE ${old} OWNED BY NONE;`],
    after: [start, `DROP SEQUENCE ${old};`],
  };
}

function counterOf(table: string, column: string): string {
  const [place, name] = [quote(table), column].map((it) => `'${it.replaceAll("'", "''")}'`);
  return `pg_get_serial_sequence(${place}, ${name})`;
}

interface Cast {
  /** Where PostgreSQL has to be told how. */
  readonly using?: (column: string) => string;
  readonly words?: string;
  readonly rewrites: boolean;
}

const [zoned, zoneless] = [' with time zone', ' without time zone'];
const texts = /^(?:text|character varying|citext)$/;
const wholes = ['smallint', 'integer', 'bigint'];

const isNarrowed = (was: string, is: string) => was === 'bigint' && is === 'integer';

function tooLarge(table: string, column: string, rows: number): string {
  const some = rows === 1 ? '1 row' : `${rows} rows`;
  return `The column ${table}.${column} has a number beyond 2147483647 in ${some}, which 32 bits do not hold. Where it is an id or leads to one, leave \`keys: int\` out of \`storage\` in schema.yaml, and the other ids become numbers of 64 bits; else call its type \`bigint\` there.`;
}

/** How values of one type become those of another with nothing lost but what `words` say; undefined where they do not. */
function castOf(from: string, to: string, enums: ReadonlySet<string>): Cast | undefined {
  const [was, is] = [typeOf(from), typeOf(to)];
  if (texts.test(was.base) && texts.test(is.base)) {
    return { rewrites: is.size !== undefined && !(was.size !== undefined && was.size <= is.size) };
  }
  if (was.base === 'character' && texts.test(is.base)) {
    return { rewrites: true, words: ', without the blanks at its end' };
  }
  if (enums.has(from) && texts.test(is.base)) {
    return { rewrites: true, using: (column) => `${column}::text` };
  }
  const isRounded = (was.size ?? 6) > (is.size ?? 6);
  const precise = isRounded ? ', to the millisecond' : '';
  if (was.base === `timestamp${zoneless}` && is.base === `timestamp${zoned}`) {
    return { rewrites: true, using: inUtc, words: `, read as UTC${precise}` };
  }
  if (was.base === `timestamp${zoned}` && is.base === `timestamp${zoneless}`) {
    return { rewrites: true, using: inUtc, words: `, in UTC${precise}` };
  }
  if (was.base === is.base && is.base.startsWith('time'))
    return { rewrites: isRounded, words: precise };
  if (was.base === is.base && is.base === 'numeric') return numericCast(was, is);
  const isWider = wholes.includes(from) && wholes.indexOf(from) < wholes.indexOf(to);
  if (isWider || isNarrowed(from, to)) return { rewrites: true };
  if (was.base === 'real' && is.base === 'double precision') {
    return { rewrites: true, using: (column) => `${column}::text::double precision` };
  }
  if (was.base === 'json' && is.base === 'jsonb') return { rewrites: true };
  if (was.base === 'character varying[]' && is.base === 'text[]') return { rewrites: true };
  if (enums.has(from.replace('[]', '')) && to === 'text[]') {
    return { rewrites: true, using: (column) => `${column}::text[]` };
  }
  if (from.endsWith('[]') && to === 'jsonb') {
    return { rewrites: true, using: (column) => `to_jsonb(${column})` };
  }
  return was.base === is.base && was.size === is.size ? { rewrites: false } : undefined;
}

const inUtc = (column: string) => `${column} AT TIME ZONE 'UTC'`;

function numericCast(was: SizedType, is: SizedType): Cast | undefined {
  const [digits, more] = [was.scale, is.scale ?? 0];
  if (digits !== undefined && digits <= more) return { rewrites: digits < more };
  return digits === undefined
    ? { rewrites: true, words: `, rounded to ${more} digits behind the point` }
    : undefined;
}

interface SizedType {
  readonly base: string;
  readonly size: number | undefined;
  readonly scale: number | undefined;
}

/** `timestamp(3) with time zone`, `character varying(80)[]`, `numeric(8,2)` */
function typeOf(type: string): SizedType {
  const [digits, size, scale] = /\((\d+)(?:,(\d+))?\)/.exec(type) ?? [];
  const base = type.replace(digits ?? '', '');
  const sizes = [size, scale].map((it) => (it === undefined ? undefined : Number(it)));
  return { base, size: sizes[0], scale: sizes[1] };
}

/** A key of other columns gives way to ours: an `id` that is new, or that has been a part of it. */
async function changedKey(
  client: Client,
  table: string,
  { expected, found }: Facts,
): Promise<{ readonly changes: readonly Change[]; readonly obstacles: readonly string[] }> {
  const object = `primary key of ${table}`;
  const key = expected.get(object);
  if (key === undefined || found.get(object) === key) return { changes: [], obstacles: [] };
  const { rows } = await client.query<{ name: string }>(
    `select conname as name from pg_constraint where conrelid = to_regclass($1) and contype = 'p'`,
    [quote(table)],
  );
  const drops = rows.map(({ name }) => `DROP CONSTRAINT ${quote(name)}`);
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

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

import { faker } from '@faker-js/faker/locale/en';
import type { Insertable } from 'kysely';
import type { Database } from '../src/database/client.ts';
import type { Tables } from '../src/database/tables.ts';
import type { Column, Part, Scene } from './draw.ts';
import { drawMoments, hoursAfter, type Moment, type State } from './moments.ts';
import { spaced } from './words.ts';

type Columns = Readonly<Record<string, Column>>;
type Row = Readonly<Record<string, unknown>>;

interface SeedTable {
  readonly name: string;
  /** What a row is called: `order line`. */
  readonly about: string;
  readonly columns: Columns;
}

/** A table that joins two others: its columns, and where they lead. */
interface LinkTable {
  readonly name: string;
  readonly links: readonly (readonly [column: string, table: string])[];
}

export interface Added {
  readonly table: string;
  readonly rows: number;
  readonly wanted: number;
}

type ColumnsOf<Name extends keyof Tables> = {
  readonly [Field in keyof Insertable<Tables[Name]>]: Column<Insertable<Tables[Name]>[Field]>;
};

/** The compiler checks every column against the table. */
export function table<Name extends keyof Tables>(
  name: Name,
  about: string,
  columns: ColumnsOf<Name>,
): SeedTable {
  return { name, about, columns: { ...columns } };
}

export function links<Name extends keyof Tables>(
  name: Name,
  leading: { readonly [Field in keyof Tables[Name]]: keyof Tables },
): LinkTable {
  return { name, links: Object.entries<string>(leading) };
}

interface Options {
  /** How many rows each table gets. */
  readonly count: number;
  /** The hash of the password of every user. */
  readonly password: string;
  /** How many rows a table gets at least: of users, one to log in as for each role. */
  readonly least: Readonly<Record<string, number>>;
}

const batch = 100;
/** How often nothing new is drawn before there is no room for more. */
const attempts = 100;

/** Adds rows to the tables, in their order: the same on the same day, on top of as many. */
export async function addRows(
  database: Database,
  tables: readonly (SeedTable | LinkTable)[],
  { count, password, least }: Options,
): Promise<readonly Added[]> {
  const keysOf = new Map(
    tables.flatMap((it) => ('columns' in it ? [[it.name, keysIn(it.columns)] as const] : [])),
  );
  const users = tables.find(({ name }) => Object.hasOwn(least, name));
  const rowsOf = new Map<string, Row[]>();
  const spent = new Map<string, number>();
  const added: Added[] = [];
  for (const { name } of tables) rowsOf.set(name, await readRows(name));
  faker.seed(rowsOf.get(users?.name ?? '')?.length ?? 0);
  faker.setDefaultRefDate(`${new Date().toISOString().slice(0, 10)}T00:00:00Z`);
  for (const it of tables) {
    if ('links' in it) await addLinks(it);
    else added.push(await add(it, Math.max(count, least[it.name] ?? 0)));
  }
  return added;

  /** Fewer than wanted where a unique constraint leaves no room for more. */
  async function add(it: SeedTable, wanted: number): Promise<Added> {
    const all = rowsOf.get(it.name) ?? [];
    const start = all.length;
    const draw = rowsFor(it);
    let missing = 0;
    for (let attempt = 0; all.length - start < wanted && attempt < attempts;) {
      const made = all.length - start;
      // Few at first, so that rows can point to others of their own table.
      const size = missing || Math.min(batch, 5 + made, wanted - made);
      const inserted = await insert(
        it.name,
        Array.from({ length: size }, () => draw(attempt)),
      );
      all.push(...inserted);
      missing = size - inserted.length;
      if (inserted.length > 0) attempt = 0;
      if (missing > 0) attempt += 1;
    }
    return { table: it.name, rows: all.length - start, wanted };
  }

  /** Each of the rows on the left gets one to three of those on the right. */
  async function addLinks({ name, links: [left, right] }: LinkTable): Promise<void> {
    if (left === undefined || right === undefined) return;
    const there = rowsOf.get(right[1]) ?? [];
    if (there.length === 0) return;
    const made = (rowsOf.get(left[1]) ?? []).slice(-count);
    const rows = made.flatMap((row) =>
      faker.helpers
        .arrayElements(there, { min: 1, max: 3 })
        .map((other) => ({ [left[0]]: row['id'], [right[0]]: other['id'] })),
    );
    for (let at = 0; at < rows.length; at += batch) await insert(name, rows.slice(at, at + batch));
  }

  async function readRows(name: string): Promise<Row[]> {
    return loosely(database).selectFrom(name).selectAll().execute();
  }

  async function insert(name: string, rows: readonly Row[]): Promise<readonly Row[]> {
    const query = loosely(database).insertInto(name);
    const isEmpty = Object.keys(rows[0] ?? {}).length === 0;
    // Without values, one at a time.
    const filled = isEmpty
      ? query.defaultValues()
      : query.values(rows).onConflict((on) => on.doNothing());
    return filled.returningAll().execute();
  }

  /** Draws row after row; a row as a whole makes sense. */
  function rowsFor({ name: own, about, columns }: SeedTable) {
    const entries = Object.entries(columns);
    const keys = (keysOf.get(own) ?? []).toSorted((a, b) => depth(b.to, own) - depth(a.to, own));
    const moments = entries.flatMap(([name, { part, isUnique, isOptional = false, usual }]) => {
      if (part?.is !== 'moment' || isUnique === true) return [];
      const time = part.type === 'time' && typeof usual === 'string' ? usual : undefined;
      return [{ ...part, name, isOptional, usual: time }];
    });
    const stateName = entries.find(
      ([, it]) => it.part?.is === 'state' && it.isOptional !== true,
    )?.[0];
    const turns = new Map<string, Row[]>();
    let index = 0;

    return (attempt: number): Row => {
      const found = new Map<string, Row>();
      for (const key of keys) {
        const target = pick(key, found, own, turns);
        if (target !== undefined) found.set(key.name, target);
      }
      const valueOf = ([name, column]: readonly [string, Column]): unknown => {
        const isUnique = column.isUnique === true;
        const scene: Scene = {
          name,
          about,
          index,
          attempt: isUnique ? attempt : 0,
          isUnique,
          password,
        };
        if (column.part?.is === 'key') return found.get(name)?.['id'] ?? null;
        const left =
          column.part?.is === 'number' ? amountLeft(own, name, column.part, found) : undefined;
        if (left !== undefined) return left;
        if (column.isOptional === true && faker.datatype.boolean(0.25)) return null;
        return isUsual(column) ? column.usual : column.draw(scene);
      };
      const row = Object.fromEntries(entries.map((entry) => [entry[0], valueOf(entry)]));
      index += 1;
      return { ...row, ...momentsOf(row, moments, columns, { stateName, about }) };
    };
  }

  /** Later tables are deeper; a row of the table itself comes last. */
  function depth(name: string, own: string): number {
    return name === own ? -1 : [...keysOf.keys()].indexOf(name);
  }

  /** A row to point to, which agrees with those that the row points to already. */
  function pick(key: Key, found: ReadonlyMap<string, Row>, own: string, turns: Map<string, Row[]>) {
    const { name, to, role, isOptional, isUnique } = key;
    if (isOptional && faker.datatype.boolean(0.25)) return undefined;
    const all = rowsOf.get(to) ?? [];
    const candidates = role === undefined ? all : all.filter((row) => row['role'] === role);
    if (isUnique) {
      const waiting = turns.get(name) ?? [];
      if (waiting.length === 0) waiting.push(...faker.helpers.shuffle(candidates));
      turns.set(name, waiting);
      return waiting.pop();
    }
    const agrees = agreement(key, found, own);
    // Some have many, and many have few.
    const start = Math.floor(candidates.length * faker.number.float() ** 2);
    for (let step = 0; step < Math.min(candidates.length, 2000); step += 1) {
      const candidate = candidates[(start + step) % candidates.length];
      if (candidate !== undefined && agrees(candidate)) return candidate;
    }
    return isOptional ? undefined : candidates[start];
  }

  /** Two ways from a row to the same kind of thing lead to the same one: a plot and its neighbour are in one garden. */
  function agreement(key: Key, found: ReadonlyMap<string, Row>, own: string) {
    const others = (keysOf.get(own) ?? []).flatMap((other) => {
      const row = found.get(other.name);
      return row === undefined || other.name === key.name ? [] : [{ ...other, row }];
    });
    const mine = keysOf.get(key.to) ?? [];
    return (candidate: Row): boolean =>
      others.every(({ name, to, row }) => {
        const theirs = keysOf.get(to) ?? [];
        const back = only(theirs, key.to);
        if (back !== undefined && (key.to !== users?.name || isParty(key.name))) {
          return row[back.name] === null || row[back.name] === candidate['id'];
        }
        if (to === users?.name) return true;
        const there = key.to === own ? mine.find((it) => it.name === name) : only(mine, to);
        if (there !== undefined) return candidate[there.name] === row['id'];
        return mine.every(({ name: one, to: shared }) => {
          const same = only(theirs, shared);
          if (same === undefined || shared === users?.name || only(mine, shared) === undefined)
            return true;
          return (
            candidate[one] === null || row[same.name] === null || candidate[one] === row[same.name]
          );
        });
      });
  }

  /** A part of what the amount of the row above leaves, or the price that it says. */
  function amountLeft(
    own: string,
    name: string,
    { min, format }: Part & { is: 'number' },
    found: ReadonlyMap<string, Row>,
  ): unknown {
    if (!/\b(amount|sum|total|price|cost|value|paid|fee)\b/.test(spaced(name))) return undefined;
    for (const key of keysOf.get(own) ?? []) {
      const parent = found.get(key.name);
      if (parent === undefined || key.to === own || key.to === users?.name) continue;
      const price = parent[name];
      if (/\b(unit )?price$/.test(spaced(name)) && price !== undefined && price !== null)
        return format(Number(price));
      const whole = ['total', 'amount', 'sum', 'budget', 'total_amount', 'value', 'limit'].find(
        (it) => {
          return parent[it] !== undefined && parent[it] !== null && typeof parent[it] !== 'object';
        },
      );
      if (whole === undefined || name.endsWith('price')) continue;
      const id = [own, name, key.name, parent['id']].join(' ');
      const before = spent.get(id) ?? sumOf(own, name, key.name, parent['id']);
      const left = Number(parent[whole]) - before;
      const value = Number(
        format(Math.max(min, 0, left * faker.number.float({ min: 0.2, max: 0.6 }))),
      );
      spent.set(id, before + value);
      return format(value);
    }
    return undefined;
  }

  function sumOf(own: string, name: string, key: string, id: unknown): number {
    const rows = (rowsOf.get(own) ?? []).filter((row) => row[key] === id);
    return rows.reduce((sum, row) => sum + Number(row[name] ?? 0), 0);
  }
}

interface Key {
  readonly name: string;
  readonly to: string;
  readonly role?: string;
  readonly isOptional: boolean;
  readonly isUnique: boolean;
}

function keysIn(columns: Columns): readonly Key[] {
  return Object.entries(columns).flatMap(([name, { part, isOptional, isUnique }]) =>
    part?.is === 'key'
      ? [{ ...part, name, isOptional: isOptional === true, isUnique: isUnique === true }]
      : [],
  );
}

/** The only key that leads there. */
function only(keys: readonly Key[], to: string): Key | undefined {
  const [first, second] = keys.filter((key) => key.to === to);
  return second === undefined ? first : undefined;
}

/** Whether a key names who has to do with all of it: an invoice's customer pays it; a post's author does not comment it. */
const isParty = (name: string) =>
  /\b(customer|client|buyer|payer|debtor|tenant|patient|borrower|member|guest|student|subscriber|donor|policyholder)\b/.test(
    spaced(name),
  );

function isUsual({ usual, isUnique, part }: Column): boolean {
  if (usual === undefined || isUnique === true) return false;
  const isText = part === undefined && typeof usual === 'string';
  return faker.datatype.boolean(part?.is === 'state' ? 0.6 : isText ? 0.9 : 0.75);
}

const isStamp = ({ name }: Moment) => name === 'created_at' || name === 'updated_at';

function momentsOf(
  row: Row,
  moments: readonly Moment[],
  columns: Columns,
  { stateName, about }: { readonly stateName: string | undefined; readonly about: string },
): Row {
  const part = columns[stateName ?? '']?.part;
  const state: State | undefined =
    part?.is === 'state' ? { value: String(row[stateName ?? '']), values: part.values } : undefined;
  const [stamp] = moments.filter(isStamp);
  const own = drawMoments(
    moments.filter((moment) => !isStamp(moment)),
    state,
    about,
  );
  if (stamp === undefined) return Object.fromEntries(own);
  // A row is made before what is written in it happens, and changed by that.
  const now = faker.defaultRefDate().toISOString();
  const past = own.flatMap(([, at]) =>
    at !== null && at.length === now.length && at < now ? [at] : [],
  );
  const [[, made] = []] = drawMoments([stamp], undefined, about);
  const times = [made ?? now, ...past].toSorted();
  const [created_at = now, last = created_at] = [times[0], times.at(-1)];
  const stamps = { created_at, updated_at: hoursAfter(last) };
  const held = Object.entries(stamps).filter(([name]) => name in columns);
  return Object.fromEntries([...own, ...held]);
}

/** Its tables by names that are known when it runs: `table` has checked them. */
function loosely(database: Database) {
  return database.withTables<Record<string, Row>>();
}

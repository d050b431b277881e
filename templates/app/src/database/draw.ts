import { faker } from '@faker-js/faker/locale/en';
import { type InsertObject, type SelectType, sql } from 'kysely';
import type { Database } from './client.ts';
import type { Tables } from './tables.ts';

type Table = keyof Tables;
type Id<Name extends Table> = Tables[Name] extends { id: infer Key } ? SelectType<Key> : never;

/** What a row may depend on. */
interface Draw<Key> {
  /** How many were drawn before. */
  readonly index: number;
  /** Empty; a space and a number when all that was drawn before was taken already. */
  readonly again: string;
  /** Ids of the rows that are made already. */
  readonly made: readonly Key[];
}

export interface Added {
  readonly table: string;
  readonly rows: number;
  readonly wanted: number;
}

export type Seeding = ReturnType<typeof openSeeding>;

const batch = 100;
const oneToThree = { count: { min: 1, max: 3 } };
/** How often nothing new is drawn before there is no room for more. */
const attempts = 100;

/** What `seed.ts` makes rows with. The same on the same day, for as many rows on top of as many. */
export function openSeeding(
  database: Database,
  { count, password }: { readonly count: number; readonly password: string },
) {
  const added: Added[] = [];
  return { count, password, added, add, ids, link };

  /** Returns the ids of the new rows: fewer than wanted where a unique constraint leaves no room for more. */
  async function add<Name extends Table>(
    table: Name,
    wanted: number,
    row: (draw: Draw<Id<Name>>) => InsertObject<Tables, Name>,
  ): Promise<Id<Name>[]> {
    const made: Id<Name>[] = [];
    let drawn = 0;
    let missing = 0;
    for (let attempt = 0; made.length < wanted && attempt < attempts;) {
      // Few at first, so that rows can point to others of their own table.
      const size = missing || Math.min(batch, 5 + made.length, wanted - made.length);
      const rows = Array.from({ length: size }, () => {
        return row({ index: drawn++, again: suffix(attempt), made });
      });
      const inserted = await insert(table, rows);
      made.push(...inserted);
      missing = size - inserted.length;
      if (inserted.length > 0) attempt = 0;
      if (missing > 0) attempt += 1;
    }
    added.push({ table, rows: made.length, wanted });
    return made;
  }

  async function insert<Name extends Table>(
    table: Name,
    rows: readonly InsertObject<Tables, Name>[],
  ): Promise<Id<Name>[]> {
    const query = database.insertInto(table);
    const isEmpty = Object.keys(rows[0] ?? {}).length === 0;
    // Without values, one at a time.
    const filled = isEmpty
      ? query.defaultValues()
      : query.values(rows).onConflict((on) => on.doNothing());
    const made = filled.returning(sql`id`.as('id')).$castTo<{ readonly id: Id<Name> }>();
    return (await made.execute()).map(({ id }) => id);
  }

  /** Of all rows, those that were there before as well; or of those with a role. */
  async function ids<Name extends Table>(table: Name, role?: string): Promise<Id<Name>[]> {
    const which = role === undefined ? sql`` : sql`where role = ${role}`;
    const query = sql<{
      readonly id: Id<Name>;
    }>`select id from ${sql.table(table)} ${which} order by id`;
    return (await query.execute(database)).rows.map(({ id }) => id);
  }

  /** Joins each of some rows with one to three of others. */
  async function link<Name extends Table, Left, Right>(
    table: Name,
    lefts: readonly Left[],
    rights: readonly Right[],
    pair: (left: Left, right: Right) => InsertObject<Tables, Name>,
  ): Promise<void> {
    if (rights.length === 0) return;
    const few = () => faker.helpers.multiple(() => faker.helpers.arrayElement(rights), oneToThree);
    const rows = lefts.flatMap((left) => few().map((right) => pair(left, right)));
    for (let start = 0; start < rows.length; start += batch) {
      const some = rows.slice(start, start + batch);
      await database
        .insertInto(table)
        .values(some)
        .onConflict((on) => on.doNothing())
        .execute();
    }
  }
}

/** Other words are drawn at first; then numbers, which grow slowly: it may be something else that is taken. */
function suffix(attempt: number): string {
  if (attempt < 3) return '';
  return ` ${faker.number.int({ min: 2, max: 10 ** (2 + Math.floor(attempt / 30)) - 1 })}`;
}

/** The value, or nothing in one of four rows. */
export function maybe<Value>(value: Value): Value | null {
  return faker.datatype.boolean(0.75) ? value : null;
}

/** The value, or nothing where it is too early for it. */
export function when<Value>(isSo: boolean, value: Value): Value | null {
  return isSo ? value : null;
}

/** One that is there, or nothing. */
export function maybeOneOf<Value>(values: readonly Value[]): Value | null {
  return values.length === 0 ? null : maybe(faker.helpers.arrayElement(values));
}

/** Each in its turn, for what no two rows may point to. */
export function inTurn<Value>(values: readonly Value[]): () => Value {
  let waiting: Value[] = [];
  return () => {
    if (waiting.length === 0) waiting = faker.helpers.shuffle(values);
    return waiting.pop() ?? faker.helpers.arrayElement(values);
  };
}

/** Draws until a text matches. */
export function matching(
  { pattern, min = 0, max = Infinity }: { pattern: RegExp; min?: number; max?: number },
  draw: () => string,
): string {
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    const text = draw();
    const length = [...text].length;
    if (length >= min && length <= max && pattern.test(text)) return text;
  }
  throw new Error(`No text was drawn that matches ${pattern}.`);
}

export function joined(...parts: readonly string[]): string {
  return parts.join('');
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Base64 of so many bytes. */
export function bytes(min: number, max: number): string {
  return Buffer.from(faker.string.alphanumeric({ length: { min, max } })).toString('base64');
}

/** `2026-01-31` */
export function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** A moment of the last year, at work. */
export function past(): string {
  // A weekend's Monday is past as well.
  const refDate = faker.defaultRefDate().getTime() - 2 * 86_400_000;
  return atWork(faker.date.past({ refDate }));
}

/** The day, or the Monday after a weekend, at a quarter of an hour between 8 and 18, UTC. */
export function atWork(date: Date): string {
  const weekday = date.getUTCDay();
  const days = weekday === 6 ? 2 : Number(weekday === 0);
  const moment = new Date(date.getTime() + days * 86_400_000);
  moment.setUTCHours(0, 15 * faker.number.int({ min: 4 * 8, max: 4 * 18 - 1 }), 0, 0);
  return moment.toISOString();
}

/** Half an hour to three hours later. */
export function hoursAfter(moment: string): string {
  const minutes = 30 * faker.number.int({ min: 1, max: 6 });
  return new Date(Date.parse(moment) + minutes * 60_000).toISOString();
}

/** One day to two weeks later. */
export function daysAfter(date: string): string {
  const days = faker.number.int({ min: 1, max: 14 });
  return day(new Date(Date.parse(date) + days * 86_400_000));
}

/** When a row was made, in the last year, and changed. */
export function timestamps() {
  const created_at = past();
  return { created_at, updated_at: hoursAfter(created_at) };
}

import { faker } from '@faker-js/faker/locale/en';

/** The value, or nothing in one of four rows. */
export function maybe<Value>(value: Value): Value | null {
  return faker.datatype.boolean(0.75) ? value : null;
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
  const created_at = atWork(faker.date.past());
  return { created_at, updated_at: hoursAfter(created_at) };
}

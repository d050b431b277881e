import { expect, it } from 'vitest';
import type { User } from '../src/users/schema.ts';
import { pointers, type TestApp } from './app.ts';
import { signInAs } from './promises.ts';

/** Fields that some readers or writers of a row may not see or write. */
interface Guarded {
  readonly path: string;
  readonly row: (owner: User) => Promise<{ readonly id: number | string }>;
  /** Values that may be written to the fields. */
  readonly values: Readonly<Record<string, unknown>>;
  /** By field, what each visitor gets who reads the row (`shown` or `hidden`), filters the list or changes the row. */
  readonly answers: {
    readonly shown?: FieldTable<string>;
    readonly filtered?: FieldTable<number>;
    readonly written?: FieldTable<number>;
  };
}

type FieldTable<Value> = Readonly<Record<string, Readonly<Record<string, Value>>>>;

/** One test for each cell of the tables. */
export function testFields(api: TestApp, guarded: Guarded): void {
  const { path, row, values, answers } = guarded;
  const { shown = {}, filtered = {}, written = {} } = answers;

  const visit = async (visitor: string) => {
    const { owner, client } = await signInAs(api, visitor);
    const { id } = await row(owner.user);
    return { client, address: `${path}${id}` };
  };

  it.each(cellsOf(shown))('%s is shown to %s: %s', async (field, visitor, answer) => {
    const { client, address } = await visit(visitor);
    const response = await client.get(address);
    expect(response.statusCode).toBe(200);
    expect(Object.hasOwn(response.json(), field) ? 'shown' : 'hidden').toBe(answer);
  });

  it.each(cellsOf(filtered))('a filter by %s of %s: %s', async (field, visitor, answer) => {
    const { client } = await visit(visitor);
    expect((await client.get(`${path}?${field}__isnull=true`)).statusCode).toBe(answer);
  });

  it.each(cellsOf(written))('%s is written by %s: %s', async (field, visitor, answer) => {
    const { client, address } = await visit(visitor);
    const response = await client.patch(address, { [field]: values[field] });
    const wrong = response.statusCode === 422 ? pointers(response) : [];
    expect([response.statusCode, wrong]).toEqual([answer, answer === 422 ? [`#/${field}`] : []]);
  });
}

function cellsOf<Value>(table: FieldTable<Value>) {
  return Object.entries(table).flatMap(([field, answers]) =>
    Object.entries(answers).map(([visitor, answer]) => [field, visitor, answer] as const),
  );
}

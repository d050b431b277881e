import { expect, it } from 'vitest';
import { Role } from '../src/enums.ts';
import type { User } from '../src/users/schema.ts';
import type { TestApp } from './app.ts';
import { type Client, pointers } from './client.ts';

/** A model that everybody tries to use. */
interface Subject<Answers> {
  /** `/api/posts/` */
  readonly path: string;
  /** What a client sends to create a row. */
  readonly body: () => Promise<object>;
  /** Makes a row that belongs to the owner, if rows of the model belong to anybody. */
  readonly row: (owner: User) => Promise<Row>;
  readonly answers: Answers;
}

interface Row {
  readonly id: number | string;
}

type Answer = number | 'shown' | 'hidden';

type Operation = 'list' | 'read' | 'create' | 'update' | 'delete';

/** What each visitor is answered: a status or, of a list, whether the row is in it. `public` has no token. */
type AnswerTable = {
  readonly [operation in Operation]?: { readonly [visitor: string]: Answer };
};

/** One test for each cell of the table. The row belongs to `owner`, who has the role of every user. */
export function testAccess<const Answers extends AnswerTable>(
  api: TestApp,
  subject: Subject<Answers>,
): void {
  const cases = Object.entries(subject.answers).flatMap(([operation, answers]) =>
    Object.entries(answers).map(([visitor, answer]) => [operation, visitor, answer] as const),
  );

  it.each(cases)('%s by %s: %s', async (operation, visitor, answer) => {
    const owner = await api.signIn();
    const role = Role.find((name) => name === visitor);
    const other = role === undefined ? api.nobody : await api.signIn(role);
    const client = visitor === 'owner' ? owner : other;
    expect(await attempts[operation]?.(client, subject, owner.user)).toBe(answer);
  });
}

type Attempt = (client: Client, subject: Subject<AnswerTable>, owner: User) => Promise<Answer>;

const attempts: Readonly<Record<string, Attempt>> = {
  async list(client, { path, row }, owner) {
    const { id } = await row(owner);
    const response = await client.get(`${path}?limit=1000`);
    if (response.statusCode !== 200) return response.statusCode;
    const { items, total } = response.json();
    expect(total).toBe(items.length);
    return items.some((item: Row) => item.id === id) ? 'shown' : 'hidden';
  },
  async read(client, { path, row }, owner) {
    const { id } = await row(owner);
    return (await client.get(`${path}${id}`)).statusCode;
  },
  async create(client, { path, body }) {
    return (await client.post(path, await body())).statusCode;
  },
  async update(client, { path, row }, owner) {
    const { id } = await row(owner);
    return (await client.patch(`${path}${id}`, {})).statusCode;
  },
  async delete(client, { path, row }, owner) {
    const { id } = await row(owner);
    return (await client.delete(`${path}${id}`)).statusCode;
  },
};

/** Fields that not everybody sees or writes who sees or changes a row. */
interface Guarded {
  readonly path: string;
  readonly row: (owner: User) => Promise<Row>;
  /** What may be written to the fields. */
  readonly values: Readonly<Record<string, unknown>>;
  /** By field: what each visitor is answered who may read the row (`shown` or `hidden`), filter the list, change the row. */
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
    const owner = await api.signIn();
    const role = Role.find((name) => name === visitor);
    const other = role === undefined ? api.nobody : await api.signIn(role);
    const { id } = await row(owner.user);
    return { client: visitor === 'owner' ? owner : other, address: `${path}${id}` };
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

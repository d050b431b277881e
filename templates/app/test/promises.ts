import { beforeEach, expect, it } from 'vitest';
import { Role } from '../src/enums.ts';
import type { User } from '../src/users/schema.ts';
import type { Client, TestApp } from './app.ts';

interface Row {
  readonly id: number | string;
}

/** A model that everybody tries to use. */
interface Subject<Answers, Id = Row['id']> {
  /** `/api/posts/` */
  readonly path: string;
  /** What a client sends to create a row. */
  readonly body: (tie?: object) => Promise<object>;
  /** Makes a row that belongs to the owner, if rows of the model belong to anybody. */
  readonly row: (owner: User, tie?: object) => Promise<{ readonly id: Id }>;
  readonly ties?: Ties;
  readonly joins?: Joins<Id>;
  /** What else whoever makes a row is told. */
  readonly told?: object;
  /** What whoever makes a row may do with it, as its first member. */
  readonly first?: { readonly [operation in Operation]?: Answer };
  readonly answers: Answers;
  readonly states?: readonly State[];
}

/** What a row holds that lets a visitor do more with it, without owning it: `is reviewer`, `via team`. */
interface Ties {
  readonly [visitor: string]: (visitor: User) => object | Promise<object>;
}

/** What is made beside a row that lets a visitor do more with it: `member(owner)`. */
interface Joins<Id> {
  readonly [visitor: string]: (visitor: User, row: { readonly id: Id }) => Promise<unknown>;
}

/** What is answered of a row that holds something else than that of the table, and what is sent to change it. */
type State = readonly [
  operation: Operation,
  visitor: string,
  answer: Answer,
  holds: object,
  change?: object,
];

type Answer = number | 'shown' | 'hidden';

type Operation = 'list' | 'read' | 'create' | 'update' | 'delete' | 'restore';

/** What each visitor is answered: a status or, of a list, whether the row is in it. `public` has no token. */
type AnswerTable = {
  readonly [operation in Operation]?: { readonly [visitor: string]: Answer };
};

/** One test for each cell of the table. The row belongs to `owner`, who has the role of every user. */
export function testAccess<const Answers extends AnswerTable, Id extends Row['id']>(
  api: TestApp,
  subject: Subject<Answers, Id>,
): void {
  const cases = Object.entries(subject.answers).flatMap(([operation, answers]) =>
    Object.entries(answers).map(([visitor, answer]) => [operation, visitor, answer] as const),
  );

  const answerTo = async (operation: string, visitor: string, holds: object, change?: object) => {
    const { owner, client, tie, join } = await signInAs(api, visitor, subject);
    const values = { ...tie, ...holds };
    const body = () => subject.body(values);
    const row = async (user: User) => {
      const made = await subject.row(user, values);
      await join?.(made);
      return made;
    };
    const tied = { ...subject, body, row, change };
    return attempts[operation]?.(client, tied, owner.user, api);
  };

  it.each(cases)('%s by %s: %s', async (operation, visitor, answer) => {
    expect(await answerTo(operation, visitor, {})).toBe(answer);
  });

  const states = (subject.states ?? []).map(
    ([operation, visitor, answer, holds, change = {}]) =>
      [operation, visitor, answer, holds, change] as const,
  );

  it.each(states)(
    '%s by %s: %s, of %j to %j',
    async (operation, visitor, answer, holds, change) => {
      expect(await answerTo(operation, visitor, holds, change)).toBe(answer);
    },
  );
}

export async function signInAs<Id>(
  api: TestApp,
  visitor: string,
  { ties = {}, joins = {} }: { readonly ties?: Ties; readonly joins?: Joins<Id> } = {},
) {
  const owner = await api.signIn();
  // A role may be called `constructor`.
  const tied = Object.hasOwn(ties, visitor) ? ties[visitor] : undefined;
  const joined = Object.hasOwn(joins, visitor) ? joins[visitor] : undefined;
  if (tied !== undefined || joined !== undefined) {
    const client = await api.signIn();
    const tie = await tied?.(client.user);
    return { owner, client, tie, join: (row: { readonly id: Id }) => joined?.(client.user, row) };
  }
  const role = Role.find((name) => name === visitor);
  const other = role === undefined ? api.nobody : await api.signIn(role);
  return { owner, client: visitor === 'owner' ? owner : other };
}

type Attempt = (
  client: Client,
  subject: Omit<Subject<AnswerTable>, 'joins'> & { readonly change?: object | undefined },
  owner: User,
  api: TestApp,
) => Promise<Answer>;

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
  async create(client, subject, owner, api) {
    const { path, body, told, first = {}, answers } = subject;
    const made = await client.post(path, await body());
    if (made.statusCode !== 201 || answers.read === undefined) return made.statusCode;
    // Who makes a row is shown what they may read of it, or its id.
    const read = await client.get(String(made.headers.location));
    const { id } = made.json();
    const shown = read.statusCode === 200 ? read.json() : { id };
    expect(made.json()).toEqual({ ...shown, ...told });
    const row = async () => made.json();
    for (const [operation, answer] of client === api.nobody ? [] : Object.entries(first)) {
      const answered = await attempts[operation]?.(client, { ...subject, row }, owner, api);
      expect([operation, answered]).toEqual([operation, answer]);
    }
    return made.statusCode;
  },
  async update(client, { path, row, change = {} }, owner) {
    const { id } = await row(owner);
    return (await client.patch(`${path}${id}`, change)).statusCode;
  },
  async delete(client, { path, row }, owner) {
    const { id } = await row(owner);
    return (await client.delete(`${path}${id}`)).statusCode;
  },
  async restore(client, { path, row }, owner, api) {
    const [{ id }, admin] = [await row(owner), await api.signIn('admin')];
    const finds = async (query: string) => {
      const response = await client.get(`${path}?id=${id}${query}`);
      return response.statusCode === 200 && response.json().total === 1;
    };
    const isListed = await finds('');
    await admin.delete(`${path}${id}`);
    const found = await finds('&deleted=only');
    const { statusCode } = await client.post(`${path}${id}/restore`);
    // Who brings a row back finds it before that, where they see it at all.
    expect(found).toBe(isListed && statusCode === 200);
    return statusCode;
  },
};

interface List {
  /** `/api/posts/` */
  readonly path: string;
  /** Somebody with no more rights than it takes to see the rows. */
  readonly reader: () => Client | Promise<Client>;
  /** Makes the rows, in this order. */
  readonly rows: Readonly<Record<string, () => Promise<Row>>>;
  /** Whether to leave out other rows, which the tests make besides. */
  readonly only: boolean;
  /** A query, and the names of the rows that it lists. */
  readonly filters: readonly (readonly [query: string, listed: readonly string[]])[];
  /** A field, and the names of the rows in its order; the other way round, nulls are last again. */
  readonly orders: readonly (readonly [string, readonly string[], readonly string[]])[];
}

/** What the lists of every model promise, on the rows of one. */
export function testList({ path, reader, rows, only, filters, orders }: List): void {
  const names = new Map<unknown, string>();

  beforeEach(async () => {
    names.clear();
    for (const [name, make] of Object.entries(rows)) names.set((await make()).id, name);
  });

  const list = async (query: string) => {
    const parameters = new URLSearchParams(query);
    if (only) parameters.set('id__in', [...names.keys()].join());
    const response = await (await reader()).get(`${path}?${parameters}`);
    expect(response.statusCode).toBe(200);
    const page = response.json();
    expect(Number(response.headers['x-total-count'])).toBe(page.total);
    const [, last] = /\?([^>]*)>; rel="last"/.exec(String(response.headers.link)) ?? [];
    return { ...page, last, listed: page.items.map(({ id }: Row) => names.get(id)) };
  };

  it('lists all rows with their total', async () => {
    const page = await list('');
    expect(page).toMatchObject({ total: names.size, limit: 50, offset: 0 });
    expect(page.listed.toSorted()).toEqual(Object.keys(rows).toSorted());
    expect(await list('limit=0')).toMatchObject({ items: [], total: names.size });
  });

  it('shows of each row what reading it shows', async () => {
    const { items } = await list('');
    const client = await reader();
    const read: unknown[] = [];
    for (const item of items) {
      const row = await client.get(`${path}${item.id}`);
      // Not everybody who may list rows may read one.
      read.push(row.statusCode === 200 ? row.json() : item);
    }
    expect(items).toEqual(read);
  });

  it.each(filters)('?%s lists %j', async (query, expected) => {
    const { listed, total } = await list(query);
    expect([listed.toSorted(), total]).toEqual([expected, expected.length]);
  });

  it.each(orders)('orders by %s', async (field, ascending, descending) => {
    expect((await list(`order_by=${field}`)).listed).toEqual(ascending);
    expect((await list(`order_by=-${field}`)).listed).toEqual(descending);
  });

  it('pages by offsets and by cursors, and repeats no row', async () => {
    const { items } = await list('');
    let cursor = '';
    for (const [index, item] of items.entries()) {
      const page = { items: [item], total: items.length, limit: 1, offset: index };
      expect(await list(`limit=1&offset=${index}`)).toMatchObject(page);
      const next = await list(`limit=1${cursor}`);
      expect(next.items).toEqual([item]);
      cursor = `&cursor=${next.next_cursor}`;
    }
    expect(cursor).toBe('&cursor=undefined');
    const { last, next_cursor: first } = await list('limit=1');
    expect((await list(last)).items).toEqual(items.slice(-1));
    // A list of one row has no next page.
    if (first === undefined) return;
    const other = `${path}?limit=1&id=${items[0].id}&cursor=${first}`;
    const { errors } = (await (await reader()).get(other)).json();
    expect(errors).toMatchObject([{ loc: ['query', 'cursor'], code: 'other_list' }]);
  });

  it.each(['limit=1001', 'offset=-1', 'cursor=x', 'order_by=x', 'fields=x', 'x=1', 'id__x=1'])(
    'refuses ?%s',
    async (query) => {
      const response = await (await reader()).get(`${path}?${query}`);
      expect(response.statusCode).toBe(422);
    },
  );
}

/** Fields that nobody is shown. */
export function testHidden(api: TestApp, path: string, names: readonly string[]): void {
  it.each(names)('neither shows nor filters nor orders by %s', async (name) => {
    const admin = await api.signIn('admin');
    for (const query of [`fields=${name}`, `${name}__isnull=true`, `order_by=${name}`]) {
      const { statusCode } = await admin.get(`${path}?${query}`);
      expect([query, statusCode]).toEqual([query, 422]);
    }
  });
}

interface Related<There> {
  readonly path: string;
  readonly name: string;
  /** Makes a row, and one that it leads to. */
  readonly make: () => Promise<{ readonly here: Row; readonly there: There }>;
  readonly shown: (there: There) => unknown;
  readonly viewer: () => Client | Promise<Client>;
  /** What those see who may not read the other side. */
  readonly hidden?: {
    readonly from: () => Client | Promise<Client>;
    readonly fields: string;
    readonly answer: (there: There) => unknown;
    /** A filter that holds, and finds nothing for them. */
    readonly guess: string;
  };
}

/** What a list and a row show of the rows on the other side, and a filter by them. */
export function testRelation<There extends Row>(api: TestApp, related: Related<There>): void {
  const { path, name, make, shown, hidden } = related;

  it(`shows and filters by its ${name}`, async () => {
    const { here, there } = await make();
    const viewer = await related.viewer();
    const query = `${path}?id=${here.id}&fields=${name}.id&${name}.id=${there.id}`;
    expect((await viewer.get(query)).json().items).toEqual([{ id: here.id, [name]: shown(there) }]);
  });

  if (hidden === undefined) return;

  it(`shows no more of its ${name} to those who may not read it, whoever asked before`, async () => {
    const { here, there } = await make();
    const query = `${path}?id=${here.id}&fields=${hidden.fields}`;
    const address = `${path}${here.id}?fields=${hidden.fields}`;
    const answer = { id: here.id, [name]: hidden.answer(there) };
    const admin = await api.signIn('admin');
    for (const url of [query, address]) expect((await admin.get(url)).statusCode).toBe(200);
    const reader = await hidden.from();
    expect((await reader.get(query)).json().items).toEqual([answer]);
    const row = await reader.get(address);
    // Not everybody who may list rows may read one.
    expect(row.statusCode === 200 ? row.json() : answer).toEqual(answer);
    const guessed = await reader.get(`${query}&${hidden.guess}`);
    expect(guessed.json()).toMatchObject({ items: [], total: 0 });
  });
}

interface Read {
  readonly path: string;
  readonly make: () => Promise<Row>;
  /** Of the row. */
  readonly answer: object;
  /** One that can be asked for alone. */
  readonly field: string;
}

/** What every row promises that can be read: one address, and a version. */
export function testRow(api: TestApp, { path, make, answer, field }: Read): void {
  it('answers with the row, or with the fields that are asked for', async () => {
    const [admin, { id }] = [await api.signIn('admin'), await make()];
    const whole = await admin.get(`${path}${id}`);
    expect([whole.statusCode, whole.json()]).toEqual([
      200,
      expect.objectContaining({ id, ...answer }),
    ]);
    expect(whole.headers['cache-control']).toBe('no-store');
    const some = await admin.get(`${path}${id}?fields=${field}`);
    expect(some.json()).toEqual({ id, [field]: whole.json()[field] });
  });

  it('has one spelling of its id', async () => {
    const admin = await api.signIn('admin');
    const { id } = await make();
    const none = typeof id === 'number' ? 999_999_999 : '00000000-0000-7000-8000-000000000000';
    for (const other of [none, `0${id}`, `${id}.0`, `%20${id}`, '1e3', 'x']) {
      expect([other, (await admin.get(`${path}${other}`)).statusCode]).toEqual([other, 404]);
    }
  });

  it('is not sent again to those who have it', async () => {
    const admin = await api.signIn('admin');
    const { id } = await make();
    const { etag } = (await admin.get(`${path}${id}`)).headers;
    const again = await admin.get(`${path}${id}`, { 'if-none-match': String(etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });
}

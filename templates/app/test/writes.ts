import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { pointers, pointersTo, type TestApp } from './app.ts';

interface Row {
  readonly id: number | string;
}

interface Created {
  readonly path: string;
  /** What a client may send. */
  readonly body: () => Promise<object>;
  /** What the server adds to it. */
  readonly answer: object;
  /** The key that leads to who has sent it. */
  readonly owner?: string;
  /** Fields that are sent and never shown. */
  readonly hidden?: readonly string[];
  /** What a client must send, and what is filled in. */
  readonly brief?: () => Promise<object>;
  readonly filledIn?: object;
  /** Fields that an empty body lacks. */
  readonly missing?: readonly string[];
  /** Values of a wrong type. */
  readonly wrong: object;
  /** Fields that only the server sets, or nobody. */
  readonly refused: object;
  /** Ids that no row has. */
  readonly lost?: object;
  /** Keys, and the path of the rows that they lead to, which stay when they are deleted. */
  readonly gone?: Readonly<Record<string, string>>;
  /** Fields that an answer names when the same is sent twice. */
  readonly taken?: readonly string[];
}

/** What becomes of bodies that are posted; a wrong one is answered with pointers to all that is wrong. */
export function testCreate(api: TestApp, created: Created): void {
  const { path, body, answer, owner, hidden = [], filledIn, lost, gone = {} } = created;
  const post = async (sent: object) => {
    const response = await (await api.signIn('admin')).post(path, sent);
    return [response.statusCode, response.statusCode < 300 ? [] : pointers(response)];
  };

  it('answers with the new row and its address', async () => {
    const [admin, sent] = [await api.signIn('admin'), await body()];
    const response = await admin.post(path, sent);
    expect(response.statusCode).toBe(201);
    expect(response.headers.location).toBe(`${path}${response.json().id}`);
    expect(response.json()).toEqual({
      ...without(hidden, sent),
      ...answer,
      ...(owner !== undefined && { [owner]: admin.user.id }),
    });
  });

  it.each(given(created.brief))('fills in what is left out', async (brief) => {
    const sent = await brief();
    const response = await (await api.signIn('admin')).post(path, sent);
    expect(response.statusCode).toBe(201);
    expect(response.json()).toMatchObject({ ...without(hidden, sent), ...filledIn });
  });

  it.each(given(created.missing))('points to every field that is missing', async (missing) => {
    expect(await post({})).toEqual([422, pointersTo(missing)]);
  });

  const refusals: Readonly<Record<string, object>> = {
    'values of a wrong type': created.wrong,
    'fields that only the server sets, or nobody': created.refused,
    'ids that no row has': lost ?? {},
  };
  const wrongs = Object.entries(refusals).filter(([, wrong]) => Object.keys(wrong).length > 0);
  it.each(wrongs)('points to %s', async (_, wrong) => {
    expect(await post({ ...(await body()), ...wrong })).toEqual([
      422,
      pointersTo(Object.keys(wrong)),
    ]);
  });

  it.each(Object.entries(gone))('refuses a %s that was deleted', async (key, there) => {
    const sent = await body();
    const id: unknown = Reflect.get(sent, key);
    await (await api.signIn('admin')).delete(`${there}${String(id)}`);
    expect(await post(sent)).toEqual([422, [`#/${key}`]]);
  });

  it.each(given(created.taken))('refuses what has to be unique and is taken', async (taken) => {
    const sent = await body();
    const admin = await api.signIn('admin');
    expect((await admin.post(path, sent)).statusCode).toBe(201);
    const twin = await admin.post(path, sent);
    expect([twin.statusCode, pointers(twin)]).toEqual([409, pointersTo(taken)]);
  });
}

function without(names: readonly string[], body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

interface Updated {
  readonly path: string;
  readonly make: () => Promise<Row>;
  readonly before: object;
  readonly change: () => Promise<object>;
  /** Values that may be taken away. */
  readonly nulls?: object;
  /** Fields that cannot be changed. */
  readonly refused: object;
  /** Makes a second row, and what it may not take of the first one. */
  readonly other?: () => Promise<Row>;
  readonly taken?: object;
}

/** What becomes of changes; nobody overwrites what they have not seen. */
export function testUpdate(api: TestApp, updated: Updated): void {
  const { path, make, before, change, refused, taken = {} } = updated;
  const start = async () => {
    const [admin, { id }] = [await api.signIn('admin'), await make()];
    return { admin, address: `${path}${id}` };
  };

  it('changes what is sent and leaves the rest', async () => {
    const { admin, address } = await start();
    const old = (await admin.patch(address, {})).json();
    expect(old).toMatchObject(before);
    await sleep(2);
    const sent = await change();
    const response = await admin.patch(address, sent);
    expect(response.statusCode).toBe(200);
    const isStamped = typeof old.updated_at === 'string' && Object.keys(sent).length > 0;
    const stamp = { updated_at: expect.toSatisfy((time) => time > old.updated_at) };
    expect(response.json()).toEqual({ ...old, ...sent, ...(isStamped && stamp) });
    expect((await admin.patch(address, {})).json()).toEqual(response.json());
  });

  it.each(given(updated.nulls))('takes null for no value', async (nulls) => {
    const { admin, address } = await start();
    const response = await admin.patch(address, nulls);
    expect([response.statusCode, response.json()]).toEqual([200, expect.objectContaining(nulls)]);
  });

  it('refuses fields that cannot be changed', async () => {
    const { admin, address } = await start();
    const response = await admin.patch(address, refused);
    expect([response.statusCode, pointers(response)]).toEqual([
      422,
      pointersTo(Object.keys(refused)),
    ]);
  });

  it.each(given(updated.other))('refuses what has to be unique and is taken', async (other) => {
    const { admin } = await start();
    const { id } = await other();
    expect((await admin.patch(`${path}${id}`, taken)).statusCode).toBe(409);
  });

  it('changes only the version that the client has seen', async () => {
    const { admin, address } = await start();
    const { etag } = (await admin.patch(address, {})).headers;
    const current = await admin.patch(address, {}, { 'if-match': String(etag) });
    const stale = await admin.patch(address, {}, { 'if-match': '"another"' });
    expect([current.statusCode, stale.statusCode]).toEqual([200, 412]);
  });
}

interface Deleted<Id> {
  readonly path: string;
  readonly make: () => Promise<{ readonly id: Id }>;
  /** Makes a row that keeps another one from being deleted. */
  readonly holder?: (id: Id) => Promise<Row>;
  /** What is still known of the row, if it stays when it is deleted. */
  readonly kept?: object;
}

export function testDelete<Id>(api: TestApp, deleted: Deleted<Id>): void {
  const { path, make } = deleted;
  const start = async () => {
    const [admin, { id }] = [await api.signIn('admin'), await make()];
    return { admin, id, address: `${path}${String(id)}` };
  };

  it('takes the row away', async () => {
    const { admin, address } = await start();
    const response = await admin.delete(address);
    expect([response.statusCode, response.body]).toEqual([204, '']);
    expect((await admin.delete(address)).statusCode).toBe(404);
  });

  it.each(given(deleted.holder))('refuses while another row points to it', async (holder) => {
    const { admin, id, address } = await start();
    await holder(id);
    expect((await admin.delete(address)).statusCode).toBe(409);
  });

  it.each(given(deleted.kept))(
    'keeps the row where it is not listed, and can be brought back',
    async (kept) => {
      const { admin, id, address } = await start();
      const list = `${path}?id=${String(id)}`;
      expect((await admin.get(list)).json()).toMatchObject({ total: 1 });
      await admin.delete(address);
      expect((await admin.get(list)).json()).toMatchObject({ items: [], total: 0 });
      const found = { items: [{ id, ...kept }], total: 1 };
      expect((await admin.get(`${list}&deleted=only`)).json()).toMatchObject(found);
      expect((await admin.get(`${list}&deleted=with`)).json()).toMatchObject(found);
      const user = await api.signIn();
      expect((await user.get(`${list}&deleted=with`)).statusCode).toBe(403);
      const response = await admin.post(`${address}/restore`);
      expect(response.statusCode).toBe(200);
      expect(response.json()).toMatchObject({ id, ...kept, deleted_at: null });
    },
  );
}

/** A test for what a model has, and none for what it does not have. */
function given<Value>(value: Value | undefined): readonly (readonly [Value])[] {
  return value === undefined ? [] : [[value]];
}

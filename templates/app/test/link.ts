import { expect, it } from 'vitest';
import type { Client, TestApp } from './app.ts';

interface Linked {
  readonly path: string;
  readonly row: () => Promise<{ readonly id: number | string; readonly secret: string }>;
  /** The responses with the link of the row, and with that of another row. */
  readonly answers: Readonly<Record<string, readonly [own: unknown, other: unknown]>>;
}

/** Without an account, and with the secret of a row. */
export function testLink(api: TestApp, { path, row, answers }: Linked): void {
  it.each(Object.entries(answers))('%s by its link, and by another: %j', async (name, expected) => {
    const [own, other] = [await row(), await row()];
    const answered: unknown[] = [];
    for (const { secret } of [other, own]) {
      const headers = { 'link-token': secret };
      answered.unshift(await attempts[name]?.(api.nobody, path, String(own.id), headers));
    }
    expect(answered).toEqual(expected);
  });
}

type Headers = Readonly<Record<string, string>>;
type Attempt = (client: Client, path: string, id: string, headers: Headers) => Promise<unknown>;

const attempts: Readonly<Record<string, Attempt>> = {
  async list(client, path, id, headers) {
    const response = await client.get(`${path}?limit=1000`, headers);
    if (response.statusCode !== 200) return response.statusCode;
    const { items, total } = response.json();
    expect(total).toBe(items.length);
    const isShown = items.some((item: { readonly id: unknown }) => String(item.id) === id);
    return isShown ? 'shown' : 'hidden';
  },
  read: async (client, path, id, headers) => (await client.get(path + id, headers)).statusCode,
  update: async (client, path, id, headers) =>
    (await client.patch(path + id, {}, headers)).statusCode,
  delete: async (client, path, id, headers) => (await client.delete(path + id, headers)).statusCode,
};

import { describe, expect, it } from 'vitest';
import { Role } from '../../src/enums.ts';
import { users } from '../../src/users/schema.ts';
import type { Client } from '../client.ts';
import type { Row } from '../factory.ts';
import type { Subject } from './subject.ts';

type Operation = 'list' | 'read' | 'create' | 'update' | 'delete';

/** What each visitor is answered: a status or, of a list, whether the row is in it. `public` has no token. */
export type AccessTable = {
  readonly [operation in Operation]?: { readonly [visitor: string]: Answer };
};

type Answer = number | 'shown' | 'hidden';

/** Everybody tries everything, on a row that belongs to `owner` (of users: that is himself). */
export function testAccess<const Table extends AccessTable>(subject: Subject, table: Table): void {
  const cases = Object.entries(table).flatMap(([operation, answers]) =>
    Object.entries(answers).map(([visitor, answer]) => [operation, visitor, answer] as const),
  );

  describe('access', () => {
    it.each(cases)('%s by %s: %s', async (operation, visitor, answer) => {
      const { client, makeRow } = await meet(subject, visitor);
      expect(await attempts[operation]?.(subject, client, makeRow)).toBe(answer);
    });
  });
}

type Attempt = (
  subject: Subject,
  client: Client,
  makeRow: () => Promise<Pick<Row, 'id'>>,
) => Promise<Answer>;

const attempts: Readonly<Record<string, Attempt>> = {
  async list({ path }, client, makeRow) {
    const { id } = await makeRow();
    const response = await client.get(`${path}?limit=1000`);
    if (response.statusCode !== 200) return response.statusCode;
    const { items, total } = response.json();
    expect(total).toBe(items.length);
    return items.some((item: Row) => item.id === id) ? 'shown' : 'hidden';
  },
  async read({ path }, client, makeRow) {
    const { id } = await makeRow();
    return (await client.get(path + id)).statusCode;
  },
  async create({ api, path, resource }, client) {
    return (await client.post(path, await api.body(resource))).statusCode;
  },
  async update({ path }, client, makeRow) {
    const { id } = await makeRow();
    return (await client.patch(path + id, {})).statusCode;
  },
  async delete({ path }, client, makeRow) {
    const { id } = await makeRow();
    return (await client.delete(path + id)).statusCode;
  },
};

/** The visitor, and a row that belongs to somebody else unless he is its owner. */
async function meet({ api, resource, owner: key }: Subject, visitor: string) {
  const owner = await api.signIn();
  const role = Role.find((name) => name === visitor);
  const other = role === undefined ? api.nobody : await api.signIn(role);
  const values = key === undefined ? {} : { [key]: owner.user.id };
  return {
    client: visitor === 'owner' ? owner : other,
    makeRow: async (): Promise<Pick<Row, 'id'>> =>
      resource === users ? owner.user : api.row(resource, values),
  };
}

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
export function testAccess(subject: Subject, table: AccessTable): void {
  const cases = Object.entries(table).flatMap(([operation, answers]) =>
    Object.entries(answers).map(([visitor, answer]) => [operation, visitor, answer] as const),
  );

  describe('access', () => {
    it.each(cases)('%s by %s: %s', async (operation, visitor, answer) => {
      const { client, row } = await meet(subject, visitor);
      expect(await attempts[operation]?.(subject, client, row)).toBe(answer);
    });
  });
}

const attempts: Readonly<
  Record<string, (subject: Subject, client: Client, row: Row) => Promise<Answer>>
> = {
  async list({ path }, client, row) {
    const response = await client.get(`${path}?limit=1000`);
    if (response.statusCode !== 200) return response.statusCode;
    const ids = response.json().items.map(({ id }: Row) => id);
    expect(response.json().total).toBe(ids.length);
    return ids.includes(row.id) ? 'shown' : 'hidden';
  },
  async read({ path }, client, row) {
    return (await client.get(path + row.id)).statusCode;
  },
  async create({ api, path, resource }, client) {
    return (await client.post(path, await api.body(resource))).statusCode;
  },
  async update({ path }, client, row) {
    return (await client.patch(path + row.id, {})).statusCode;
  },
  async delete({ path }, client, row) {
    return (await client.delete(path + row.id)).statusCode;
  },
};

/** The visitor, and the row that he is after. */
async function meet({ api, resource, owner: key }: Subject, visitor: string) {
  const owner = await api.signIn();
  const values = key === undefined ? {} : { [key]: owner.user.id };
  const row = resource === users ? owner.user : await api.row(resource, values);
  if (visitor === 'owner') return { client: owner, row };
  const role = Role.find((name) => name === visitor);
  return { client: role === undefined ? api.nobody : await api.signIn(role), row };
}

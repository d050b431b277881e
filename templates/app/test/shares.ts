import { expect, it } from 'vitest';
import type { User } from '../src/users/schema.ts';
import type { TestApp } from './app.ts';

interface Shared {
  readonly path: string;
  /** Makes both members of the same row. */
  readonly join: (person: User, other: User) => Promise<void>;
}

/** Users see those users with whom they share a membership. */
export function testShares(api: TestApp, { path, join }: Shared): void {
  it('shows users to those with whom they are members of something', async () => {
    const [person, other, stranger] = [await api.signIn(), await api.signIn(), await api.signIn()];
    const statusFor = async (client: typeof other) =>
      (await client.get(`${path}${person.user.id}`)).statusCode;
    expect(await statusFor(other)).toBe(404);
    await join(person.user, other.user);
    expect([await statusFor(other), await statusFor(stranger)]).toEqual([200, 404]);
  });
}

import { expect, it } from 'vitest';
import { pointers, type TestApp } from './app.ts';

interface Agreed {
  readonly path: string;
  readonly body: () => Promise<object>;
  /** Keys that belong together. */
  readonly agreeing: () => Promise<object>;
  /** One of them, of a row that belongs elsewhere. */
  readonly other: () => Promise<object>;
}

/** A key that has to agree with another one is refused where it does not, whoever sends it. */
export function testAgreement(api: TestApp, { path, body, agreeing, other }: Agreed): void {
  it('takes keys that belong together only', async () => {
    const admin = await api.signIn('admin');
    const [sent, strange] = [{ ...(await body()), ...(await agreeing()) }, await other()];
    const wrong = Object.keys(strange).map((key) => `#/${key}`);
    const refused = await admin.post(path, { ...sent, ...strange });
    expect(refused.statusCode).toBe(422);
    expect(pointers(refused)).toEqual(wrong);
    const made = await admin.post(path, sent);
    expect(made.statusCode).toBe(201);
    const changed = await admin.patch(String(made.headers.location), strange);
    expect(changed.statusCode === 404 || pointers(changed).join() === wrong.join()).toBe(true);
  });
}

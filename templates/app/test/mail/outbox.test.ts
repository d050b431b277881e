import { afterEach, describe, expect, it, vi } from 'vitest';
import { transaction } from '../../src/database/transaction.ts';
import { queueEmail } from '../../src/mail/outbox.ts';
import { startTestApp } from '../app.ts';

const api = await startTestApp();
const { database, outbox } = api.app;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const notice = {
  to: 'ann@example.test',
  template: 'email_change_requested',
  payload: { email: 'new@example.test' },
} as const;

const refuseMail = () =>
  vi.spyOn(api.mails, 'push').mockImplementation(() => {
    throw new Error('The mail server is down.');
  });

describe('an email', () => {
  it('is written from its template and its payload', async () => {
    await queueEmail(database, notice);
    await outbox.deliver();
    expect(api.mails).toEqual([
      {
        to: 'ann@example.test',
        subject: expect.stringContaining('A new address'),
        text: expect.stringContaining('new@example.test'),
      },
    ]);
  });

  it('says when what it tells of happened, however late it is sent', async () => {
    const then = new Date('2026-01-31T09:30:00.000Z');
    vi.useFakeTimers({ toFake: ['Date'], now: then });
    await queueEmail(database, notice);
    vi.useRealTimers();
    await outbox.deliver();
    expect(api.mails[0]?.text).toContain('Sat, 31 Jan 2026 09:30:00 GMT');
  });

  it('is not sent when its transaction is rolled back', async () => {
    const failed = transaction(database, async (transacting) => {
      await queueEmail(transacting, notice);
      throw new Error('No.');
    });
    await expect(failed).rejects.toThrow('No.');
    await outbox.deliver();
    expect(api.mails).toEqual([]);
  });

  it('is sent once, however many look for it', async () => {
    await queueEmail(database, notice);
    await Promise.all([outbox.deliver(), outbox.deliver(), outbox.deliver()]);
    await outbox.deliver();
    expect(api.mails.length).toBe(1);
  });

  it('is tried again when the mail server was down, later each time', async () => {
    await queueEmail(database, notice);
    const refusal = refuseMail();
    const tries: number[] = [];
    for (let minute = 0; minute < 10; minute += 1) {
      await outbox.deliver();
      tries.push(refusal.mock.calls.length);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    }
    expect(tries).toEqual([1, 2, 3, 3, 4, 4, 4, 4, 5, 5]);

    refusal.mockRestore();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    await outbox.deliver();
    expect(api.mails.length).toBe(1);
  });

  it('goes out by itself soon after a request', async () => {
    const { email } = await api.make.user();
    await api.nobody.post('/auth/forgot-password', { email });
    await vi.waitFor(() => expect(api.mails.length).toBe(1), { timeout: 5000 });
  });
});

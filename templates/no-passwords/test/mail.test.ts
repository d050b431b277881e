import { afterEach, describe, expect, it, vi } from 'vitest';
import { transaction } from '../src/database/transaction.ts';
import { queueEmail } from '../src/mail/outbox.ts';
import { startTestApp, times } from './app.ts';

const api = await startTestApp();
const { database, outbox } = api.app;
const browser = { accept: 'text/html' };

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const notice = {
  to: 'ann@example.test',
  template: 'email_changed_by_admin',
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
        subject: expect.stringContaining('was changed'),
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
    const failed = transaction(database, async (open) => {
      await queueEmail(open, notice);
      throw new Error('No.');
    });
    await expect(failed).rejects.toThrow('No.');
    await outbox.deliver();
    expect(api.mails).toEqual([]);
  });

  it('is sent once, however many processes look for it', async () => {
    const others = [await api.another(), await api.another()];
    for (const each of times(30, notice)) await queueEmail(database, each);
    await Promise.all([api.app, ...others].map((app) => app.outbox.deliver()));
    await Promise.all(others.map((app) => app.close()));
    expect(api.mails.length).toBe(30);
  });

  it('waits for its template when that is gone', async () => {
    const report = vi.spyOn(api.app.log, 'warn');
    await queueEmail(database, notice);
    await queueEmail(database, notice);
    const rows = database.updateTable('mail_outbox');
    await rows.set({ kind: 'renamed' }).execute();
    await outbox.deliver();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    await outbox.deliver();
    expect(api.mails).toEqual([]);
    expect(report).toHaveBeenCalledWith(
      expect.objectContaining({ event: 'mail_failed', kind: 'renamed' }),
    );

    await rows.set({ kind: notice.template }).execute();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    await outbox.deliver();
    expect(api.mails.length).toBe(2);
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
    await queueEmail(database, notice);
    outbox.wake();
    await vi.waitFor(() => expect(api.mails.length).toBe(1), { timeout: 5000 });
  });

  it('that was queued while others are sent goes out before the server has closed', async () => {
    const server = await api.another();
    const rounds = [server.outbox.deliver()];
    await Promise.resolve();
    let isSent = false;
    rounds.push(server.outbox.deliver().then(() => void (isSent = true)));
    await server.close();
    expect(isSent).toBe(true);
    await Promise.all(rounds);
  });
});

describe('the pages', () => {
  it('begin with one that leads to the others', async () => {
    const page = await api.nobody.get('/', browser);
    expect(page.statusCode).toBe(200);
    for (const path of ['/docs', '/outbox', '/health/ready']) {
      expect(page.body).toContain(`href="${path}"`);
    }
  });

  it('answer programs as JSON', async () => {
    const { links } = (await api.nobody.get('/', { accept: 'application/json' })).json();
    for (const path of Object.values<string>(links)) {
      expect([path, (await api.nobody.get(path)).statusCode]).toEqual([path, 200]);
    }
  });

  it('hold no script, and may load none', async () => {
    for (const path of ['/', '/outbox']) {
      const { body, headers } = await api.nobody.get(path, browser);
      expect(body).not.toContain('<script');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).not.toMatch(/script-src|unsafe/);
    }
  });
});

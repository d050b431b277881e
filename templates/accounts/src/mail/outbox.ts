import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Database } from '../database/client.ts';
import { isoTime } from '../database/values.ts';
import type { Email, EmailName, EmailPayload } from '../emails.ts';
import type { UserId } from '../users/schema.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly outbox: Outbox;
  }
}

export interface Outbox {
  /** Sends what is due, soon, in the background. */
  wake(): void;
  /** Sends what is due, and returns after each email has been tried. */
  deliver(): Promise<void>;
}

/** Mail goes out some time after the answer, or its timing would reveal who has an account. */
const wakeMilliseconds = 500;
const pollMilliseconds = 5000;
const closeMilliseconds = 5000;
const maxAttempts = 16;
/** Longer than the slowest mail server takes to accept a mail, or another process would send it, too. */
const claimMilliseconds = 180_000;

interface QueuedEmail<Name extends EmailName> {
  readonly to: string;
  readonly template: Name;
  readonly payload: EmailPayload<Name>;
  /** The user it is about; it is not sent once they are gone. */
  readonly userId?: UserId;
}

/** Queues an email in the caller's transaction: it is sent within seconds, and only if that commits. */
export async function queueEmail<Name extends EmailName>(
  database: Database,
  { to, template, payload, userId }: QueuedEmail<Name>,
): Promise<void> {
  const now = isoTime();
  await database
    .insertInto('mail_outbox')
    .values({
      id: randomUUID(),
      kind: template,
      recipient: to,
      user_id: userId ?? null,
      payload: JSON.stringify(payload),
      created_at: now,
      attempts: 0,
      next_attempt_at: now,
    })
    .execute();
}

interface Parts {
  readonly mailer: Mailer;
  readonly emails: Readonly<Record<string, Email>>;
}

export function addOutbox(app: FastifyInstance, { mailer, emails }: Parts): void {
  const { database, config, log } = app;
  let running = Promise.resolve();
  let next: Promise<void> | undefined;
  let wakeUp: NodeJS.Timeout | undefined;

  const deliver = () => {
    clearTimeout(wakeUp);
    wakeUp = undefined;
    return outbox
      .deliver()
      .catch((error: unknown) => log.warn({ event: 'outbox_unreachable', err: error }));
  };

  const outbox: Outbox = {
    wake() {
      wakeUp ??= setTimeout(deliver, Math.random() * wakeMilliseconds).unref();
    },
    deliver() {
      // A call while mail is being sent waits for the next round, which includes what it queued.
      next ??= running.then(() => {
        const round = sendAll({ database, config, mailer, emails, log });
        running = round.catch(() => {});
        next = undefined;
        return round;
      });
      return next;
    },
  };
  app.decorate('outbox', outbox);

  // For mail left by processes that stopped, and for further attempts.
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onListen', async () => {
    timer = setInterval(deliver, pollMilliseconds).unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    const last = wakeUp || next ? deliver() : running;
    await Promise.race([last, sleep(closeMilliseconds, undefined, { ref: false })]);
  });
}

interface Sender extends Parts {
  readonly database: Database;
  readonly config: Config;
  readonly log: FastifyBaseLogger;
}

async function sendAll(sender: Sender): Promise<void> {
  for (;;) {
    const mail = await claimNext(sender.database);
    if (!mail) return;
    await send(mail, sender);
  }
}

/**
 * Claims the next mail that is due, by moving its next attempt into the future. Until then other processes leave it
 * alone; if this one stops or fails, it comes due again by itself.
 */
async function claimNext(database: Database) {
  for (;;) {
    const now = Date.now();
    const mail = await database
      .selectFrom('mail_outbox')
      .selectAll()
      .where('sent_at', 'is', null)
      // A mail whose attempts are used up comes once more, to be reported.
      .where('attempts', '<=', maxAttempts)
      .where('next_attempt_at', '<=', isoTime(now))
      .orderBy('next_attempt_at')
      .limit(1)
      .executeTakeFirst();
    if (!mail) return undefined;
    const claim = await database
      .updateTable('mail_outbox')
      .set({
        attempts: mail.attempts + 1,
        next_attempt_at: isoTime(now + claimMilliseconds),
      })
      .where('id', '=', mail.id)
      .where('attempts', '=', mail.attempts)
      .executeTakeFirst();
    if (claim.numUpdatedRows === 1n) return mail;
  }
}

/** 30 seconds, a minute, two, … up to an hour; none after the last attempt. */
function retryMilliseconds(attempts: number): number {
  return attempts + 1 === maxAttempts ? 0 : Math.min(30_000 * 2 ** attempts, 3_600_000);
}

type Queued = NonNullable<Awaited<ReturnType<typeof claimNext>>>;

async function send(
  { id, kind, recipient, user_id: userId, payload, created_at, attempts }: Queued,
  { mailer, emails, log, ...context }: Sender,
): Promise<void> {
  if (attempts === maxAttempts) return log.error({ event: 'mail_given_up', kind, id });
  const { database } = context;
  const update = (change: { readonly sent_at: string } | { readonly next_attempt_at: string }) =>
    database.updateTable('mail_outbox').set(change).where('id', '=', id).execute();
  try {
    const template = emails[kind];
    // It was renamed, or belongs to a newer release that was rolled back: a later attempt may find it.
    if (!template) throw new Error(`src/emails.ts has no template \`${kind}\``);
    const queuedAt = new Date(created_at);
    const json: unknown = JSON.parse(payload ?? '{}');
    const text = await template.write(json, { ...context, recipient, userId, queuedAt });
    if (text) {
      const lines = [...text.lines, ''].join('\n');
      await mailer.send({ to: recipient, subject: text.subject, text: lines });
    }
    await update({ sent_at: isoTime() });
    if (text) log.info({ event: 'mail_sent', kind });
  } catch (error) {
    log.warn({ event: 'mail_failed', kind, id, err: error });
    const next = Date.now() + retryMilliseconds(attempts);
    await update({ next_attempt_at: isoTime(next) });
  }
}

export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Returns once somebody else is responsible for the message; throws if it was not accepted. */
  send(message: Message): Promise<void>;
}

/** Sends by SMTP; without `SMTP_URL`, writes files that a mail program can open. */
export function openMailer(config: Config['mail'], log: FastifyBaseLogger): Mailer {
  return config.smtpUrl === '' ? fileMailer(config, log) : smtpMailer(config);
}

function smtpMailer({ smtpUrl, from }: Config['mail']): Mailer {
  const limits = { connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 15_000 };
  return {
    async send(message) {
      // Loaded by the first mail, not when the server starts.
      const { createTransport } = await import('nodemailer');
      await createTransport({ url: smtpUrl, ...limits }).sendMail({ from, ...message });
    },
  };
}

export const mailFolder = join('var', 'mail');

function fileMailer({ from }: Config['mail'], log: FastifyBaseLogger): Mailer {
  return {
    async send({ to, subject, text }) {
      const headers = {
        From: from,
        To: to,
        Subject: subject,
        Date: new Date().toUTCString(),
        'MIME-Version': '1.0',
        'Content-Type': 'text/plain; charset=utf-8',
        // Keeps links in one piece, for people who copy them from the file.
        'Content-Transfer-Encoding': '8bit',
      };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
      const file = join(mailFolder, `${Date.now()}-${randomUUID().slice(0, 8)}.eml`);
      await mkdir(mailFolder, { recursive: true });
      await writeFile(file, `${lines.join('')}\n${text}`, { mode: 0o600 });
      log.info({ event: 'mail_written', file }, `Mail written to ${file}`);
    },
  };
}

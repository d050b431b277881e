import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Database } from '../database/client.ts';
import { newUuid } from '../lib/ids.ts';
import type { UserId } from '../users/schema.ts';
import { letters, type LetterContext, type LetterKind } from './letters.ts';
import type { Mailer } from './mail.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly outbox: Outbox;
  }
}

export interface Outbox {
  /** Sends what is due, soon and in the background. */
  wake(): void;
  /** Sends what is due; returns when it was tried. */
  deliver(): Promise<void>;
}

interface Mail {
  readonly kind: LetterKind;
  readonly recipient: string;
  readonly userId?: UserId;
}

const pollMilliseconds = 10_000;
const closeMilliseconds = 5000;
const maxAttempts = 16;

/** Notes a mail to be sent; inside a transaction, it is sent only if that commits. */
export async function enqueueMail(database: Database, mail: Mail): Promise<void> {
  const now = new Date().toISOString();
  await database
    .insertInto('mail_outbox')
    .values({
      id: newUuid(),
      kind: mail.kind,
      recipient: mail.recipient,
      user_id: mail.userId ?? null,
      created_at: now,
      attempts: 0,
      next_attempt_at: now,
    })
    .execute();
}

export function addOutbox(app: FastifyInstance, mailer: Mailer): void {
  const { database, config, log } = app;
  let running = Promise.resolve();
  let next: Promise<void> | undefined;

  const outbox: Outbox = {
    wake() {
      outbox
        .deliver()
        .catch((error: unknown) => log.warn({ event: 'outbox_unreachable', err: error }));
    },
    deliver() {
      // Whoever asks while mail is being sent waits for the round after it, which sees his.
      next ??= running.then(() => {
        const round = sendAll({ database, config, mailer, log });
        running = round.catch(() => {});
        next = undefined;
        return round;
      });
      return next;
    },
  };
  app.decorate('outbox', outbox);

  // For mail of other processes that stopped, and for second attempts.
  const timer = setInterval(outbox.wake, pollMilliseconds).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await Promise.race([running, sleep(closeMilliseconds, undefined, { ref: false })]);
  });
}

interface Sender extends LetterContext {
  readonly mailer: Mailer;
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
 * Takes the next mail that is due. The claim moves its next attempt into the future: other processes leave it alone
 * until then, and if this one stops or fails, it is tried again by itself.
 */
async function claimNext(database: Database) {
  for (;;) {
    const now = Date.now();
    const mail = await database
      .selectFrom('mail_outbox')
      .select(['id', 'kind', 'recipient', 'attempts'])
      .where('sent_at', 'is', null)
      .where('attempts', '<', maxAttempts)
      .where('next_attempt_at', '<=', new Date(now).toISOString())
      .orderBy('next_attempt_at')
      .limit(1)
      .executeTakeFirst();
    if (!mail) return undefined;
    const claim = await database
      .updateTable('mail_outbox')
      .set({
        attempts: mail.attempts + 1,
        next_attempt_at: new Date(now + retryMilliseconds(mail.attempts)).toISOString(),
      })
      .where('id', '=', mail.id)
      .where('attempts', '=', mail.attempts)
      .executeTakeFirst();
    if (claim.numUpdatedRows === 1n) return mail;
  }
}

/** 30 seconds, a minute, two, … up to an hour. */
function retryMilliseconds(attempts: number): number {
  return Math.min(30_000 * 2 ** attempts, 3_600_000);
}

async function send(
  {
    id,
    kind,
    recipient,
  }: { readonly id: string; readonly kind: string; readonly recipient: string },
  { mailer, log, ...context }: Sender,
): Promise<void> {
  try {
    const message = isLetterKind(kind) && (await letters[kind](recipient, context));
    if (message) await mailer.send(message);
    await context.database
      .updateTable('mail_outbox')
      .set({ sent_at: new Date().toISOString() })
      .where('id', '=', id)
      .execute();
    if (message) log.info({ event: 'mail_sent', kind });
  } catch (error) {
    log.warn({ event: 'mail_failed', kind, err: error });
  }
}

function isLetterKind(kind: string): kind is LetterKind {
  return Object.hasOwn(letters, kind);
}

import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { createTransport } from 'nodemailer';
import type { MailConfig } from '../config.ts';

export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Returns when the message is in other hands; throws otherwise. */
  send(message: Message): Promise<void>;
}

/** Sends by SMTP; without `SMTP_URL`, writes files that a mail program opens. */
export function openMailer(config: MailConfig, log: FastifyBaseLogger): Mailer {
  return config.smtpUrl === '' ? fileMailer(config, log) : smtpMailer(config);
}

function smtpMailer({ smtpUrl, from }: MailConfig): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: 5000,
    greetingTimeout: 5000,
    socketTimeout: 15_000,
  });
  return {
    async send(message) {
      await transport.sendMail({ from, ...message });
    },
  };
}

const folder = join('var', 'mail');

function fileMailer({ from }: MailConfig, log: FastifyBaseLogger): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true });
  return {
    async send(message) {
      const { message: content } = await transport.sendMail({ from, ...message });
      const file = join(folder, `${Date.now()}-${randomUUID().slice(0, 8)}.eml`);
      await mkdir(folder, { recursive: true });
      await writeFile(file, content, { mode: 0o600 });
      log.info({ event: 'mail_written', file }, `Mail written to ${file}`);
    },
  };
}

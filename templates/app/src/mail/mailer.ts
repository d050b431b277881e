import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';

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
export function openMailer(config: Config['mail'], log: FastifyBaseLogger): Mailer {
  return config.smtpUrl === '' ? fileMailer(config, log) : smtpMailer(config);
}

function smtpMailer({ smtpUrl, from }: Config['mail']): Mailer {
  const limits = { connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 15_000 };
  return {
    async send(message) {
      // Loaded by the first mail, not by the start of the server.
      const { createTransport } = await import('nodemailer');
      await createTransport({ url: smtpUrl, ...limits }).sendMail({ from, ...message });
    },
  };
}

/** Where mail is written without `SMTP_URL`. */
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
        // Links stay whole, for those who copy them from the file.
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

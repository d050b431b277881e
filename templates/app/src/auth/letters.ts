import type { Config } from '../config.ts';
import type { Database } from '../database/client.ts';
import { findCredentialsByEmail } from '../users/credentials.ts';
import type { Message } from './mail.ts';
import { issueResetToken } from './reset.ts';

export interface LetterContext {
  readonly database: Database;
  readonly config: Config;
}

/** `undefined` when nobody is to be written to. */
type Letter = (recipient: string, context: LetterContext) => Promise<Message | undefined>;

export type LetterKind = 'reset_password' | 'password_changed';

/** Letters are written when they are sent, so no token waits in the database. */
export const letters: Readonly<Record<LetterKind, Letter>> = {
  async reset_password(recipient, { database, config }) {
    const user = await findCredentialsByEmail(database, recipient);
    if (!user) return undefined;
    const { resetTokenSeconds } = config.auth;
    const token = await issueResetToken(database, user.id, resetTokenSeconds);
    return {
      to: recipient,
      subject: `Reset your ${config.name} password`,
      text: [
        `Somebody asked for a new password for your ${config.name} account.`,
        'If that was you, choose one here:',
        '',
        `${config.resetUrl}?token=${token}`,
        '',
        `The link works once, for ${resetTokenSeconds / 60} minutes.`,
        'If it was not you, there is nothing to do: your password stays as it is.',
        '',
      ].join('\n'),
    };
  },

  async password_changed(recipient, { config }) {
    return {
      to: recipient,
      subject: `Your ${config.name} password was changed`,
      text: [
        `The password of your ${config.name} account was changed just now, and every other login ended.`,
        'If that was not you, reset it at once:',
        '',
        config.resetUrl,
        '',
      ].join('\n'),
    };
  },
};

import { Type, type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { issueRevertToken } from './auth/email-change.ts';
import { issueToken } from './auth/mailed-tokens.ts';
import type { Config } from './config.ts';
import type { Database } from './database/client.ts';
import type { Message } from './mail/mailer.ts';
import { findCredentials, findCredentialsByEmail, type Credentials } from './users/credentials.ts';
import type { UserId } from './users/schema.ts';

export interface EmailContext {
  readonly database: Database;
  readonly config: Config;
  readonly recipient: string;
  /** Whom it is about. */
  readonly userId: UserId | null;
  /** When what it tells of happened: it may be sent hours later. */
  readonly queuedAt: Date;
}

type Text = Pick<Message, 'subject'> & { readonly lines: readonly string[] };

type Write<Payload> = (payload: Payload, context: EmailContext) => Promise<Text | undefined>;

export interface Email<Payload extends TSchema = TSchema> {
  readonly payload: Payload;
  /** `undefined` when nobody is to be written to. */
  write(payload: unknown, context: EmailContext): Promise<Text | undefined>;
}

/** What is queued as JSON, and what is made of it when it is sent: that way no token waits in the database. */
function email<Payload extends TSchema>(
  payload: Payload,
  write: Write<Static<Payload>>,
): Email<Payload> {
  return { payload, write: async (json, context) => write(Value.Parse(payload, json), context) };
}

const nothing = Type.Object({});

export type EmailName = keyof typeof emails;

export type EmailPayload<Name extends EmailName> = Static<(typeof emails)[Name]['payload']>;

/** Your own go here, too: give one a name, the schema of its payload, and a text. `queueEmail` sends it. */
export const emails = {
  reset_password: email(nothing, async (_, { database, config, recipient }) => {
    const user = await findCredentialsByEmail(database, recipient);
    if (!user) return undefined;
    return {
      subject: `Reset your ${config.name} password`,
      lines: [
        `Somebody asked for a new password for your ${config.name} account.`,
        'If that was you, choose one here:',
        '',
        await resetLink(database, config, user),
        '',
        `The link works once, for ${config.auth.resetTokenSeconds / 60} minutes.`,
        'If it was not you, there is nothing to do: your password stays as it is.',
      ],
    };
  }),

  password_changed: email(nothing, async (_, { config, queuedAt }) => ({
    subject: `Your ${config.name} password was changed`,
    lines: [
      `The password of your ${config.name} account was changed on ${queuedAt.toUTCString()}, and every other login ended.`,
      'If that was not you, reset it at once:',
      '',
      `${config.publicUrl}/forgot-password`,
    ],
  })),

  confirm_email: email(
    Type.Object({ token_version: Type.Integer(), session: Type.String() }),
    async ({ token_version, session }, { database, config, recipient, userId }) => {
      const user = await findUser(database, userId);
      const isTaken = (await findCredentialsByEmail(database, recipient)) !== undefined;
      if (!user || isTaken || user.token_version !== token_version) return undefined;
      const token = await issueToken(database, {
        kind: 'confirm_email',
        user,
        email: recipient,
        seconds: 86_400,
        session,
      });
      return {
        subject: `Confirm your new address for ${config.name}`,
        lines: [
          `Somebody wants to use this address for their ${config.name} account.`,
          'If that was you, confirm it here:',
          '',
          `${config.publicUrl}/confirm-email?token=${token}`,
          '',
          'The link works once, for a day. If it was not you, there is nothing to do.',
        ],
      };
    },
  ),

  email_change_requested: email(
    Type.Object({ email: Type.String() }),
    async (payload, { config, queuedAt }) => ({
      subject: `A new address for your ${config.name} account`,
      lines: [
        `On ${queuedAt.toUTCString()} somebody who knows your ${config.name} password asked to change`,
        `the address of your account to ${payload.email}.`,
        'If that was not you, reset your password at once. The change cannot be confirmed after that.',
        '',
        `${config.publicUrl}/forgot-password`,
      ],
    }),
  ),

  email_changed: email(
    Type.Object({ email: Type.String() }),
    async (payload, { database, config, recipient, userId, queuedAt }) => {
      const user = await findUser(database, userId);
      if (!user) return undefined;
      const token = await issueRevertToken(database, { ...user, email: recipient });
      return {
        subject: `The address of your ${config.name} account was changed`,
        lines: [
          `The address of your ${config.name} account was changed to ${payload.email} on ${queuedAt.toUTCString()}.`,
          'If that was not you, take it back. Every login ends, and you choose a new password:',
          '',
          `${config.publicUrl}/revert-email?token=${token}`,
          '',
          'The link works once, for a week.',
        ],
      };
    },
  ),

  email_reverted: email(nothing, async (_, { database, config, userId }) => {
    const user = await findUser(database, userId);
    if (!user) return undefined;
    return {
      subject: `Your ${config.name} account has its address back`,
      lines: [
        `This is the address of your ${config.name} account again. Every login ended, and the old`,
        'password no longer works. Choose a new one here:',
        '',
        await resetLink(database, config, user),
        '',
        `The link works once, for ${config.auth.resetTokenSeconds / 60} minutes; after that, ask for another one:`,
        `${config.publicUrl}/forgot-password`,
      ],
    };
  }),
};

async function findUser(database: Database, id: UserId | null): Promise<Credentials | undefined> {
  return id === null ? undefined : findCredentials(database, id);
}

async function resetLink(database: Database, config: Config, user: Credentials): Promise<string> {
  const token = await issueToken(database, {
    kind: 'reset_password',
    user,
    email: user.email,
    seconds: config.auth.resetTokenSeconds,
  });
  return `${config.publicUrl}/reset-password?token=${token}`;
}

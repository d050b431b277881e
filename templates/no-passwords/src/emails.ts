import { type Static, type TSchema, Type } from 'typebox';
import type { Config } from './config.ts';
import type { Database } from './database/client.ts';
import type { UserId } from './users/schema.ts';

export interface EmailContext {
  readonly database: Database;
  readonly config: Config;
  readonly recipient: string;
  readonly userId: UserId | null;
  /** When the thing it reports happened; the mail itself may go out hours later. */
  readonly queuedAt: Date;
}

interface Text {
  readonly subject: string;
  readonly lines: readonly string[];
}

type WriteText<Payload> = (payload: Payload, context: EmailContext) => Promise<Text | undefined>;

export interface Email<Payload extends TSchema = TSchema> {
  readonly payload: Payload;
  /** Returns `undefined` to send nothing. */
  write(payload: unknown, context: EmailContext): Promise<Text | undefined>;
}

/** The payload is queued as JSON, and the text is written when it is sent, so that no token waits in the database. */
function email<Payload extends TSchema>(
  payload: Payload,
  write: WriteText<Static<Payload>>,
): Email<Payload> {
  return {
    payload,
    async write(json, context) {
      // Imported here because it is a third of all modules that the server would load.
      const { Value } = await import('typebox/value');
      return write(Value.Parse(payload, json), context);
    },
  };
}

const newAddress = Type.Object({ email: Type.String() });

export type EmailName = keyof typeof emails;

export type EmailPayload<Name extends EmailName> = Static<(typeof emails)[Name]['payload']>;

/** Add your own here: a name, the schema of its payload, and a text. `queueEmail` sends it. */
export const emails = {
  email_changed_by_admin: email(newAddress, async (payload, { config, queuedAt }) => ({
    subject: `The address of your ${config.name} account was changed`,
    lines: [
      `An admin of ${config.name} changed the address of your account to ${payload.email} on`,
      `${queuedAt.toUTCString()}. If you did not expect that, ask them.`,
    ],
  })),
};

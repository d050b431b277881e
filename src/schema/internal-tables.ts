/** A column of users: incrementing it revokes all tokens of that user. No model declares it. */
export const tokenVersion = 'token_version';

/** Columns of `User` that the server never shows. */
export const keptOfUsers: readonly string[] = ['password', tokenVersion];

/** A table without a model. */
export interface TableLayout {
  readonly name: string;
  readonly comment: string;
  /** A `user` is a key to a user, with whom the row is deleted. */
  readonly columns: Readonly<
    Record<
      string,
      {
        readonly kind: 'text' | 'int' | 'bigint' | 'datetime' | 'uuid' | 'user';
        readonly nullable?: true;
      }
    >
  >;
  readonly primaryKey: readonly string[];
  readonly indexes: readonly {
    readonly column: string;
    readonly unique?: true;
    /** Only rows in which this column is NULL are in the index. */
    readonly whereNull?: string;
  }[];
}

const text = { kind: 'text' } as const;
const int = { kind: 'int' } as const;
const bigint = { kind: 'bigint' } as const;
const datetime = { kind: 'datetime' } as const;
const uuid = { kind: 'uuid' } as const;
const user = { kind: 'user' } as const;
const optional = { nullable: true } as const;

const first: readonly TableLayout[] = [
  {
    name: 'auth_sessions',
    comment: 'One row a login; its refresh token is replaced at each use.',
    columns: {
      id: text,
      user_id: user,
      current_jti: text,
      current_iat: bigint,
      previous_jti: { ...text, ...optional },
      rotated_at: { ...datetime, ...optional },
      created_at: datetime,
      expires_at: datetime,
      revoked_at: { ...datetime, ...optional },
    },
    primaryKey: ['id'],
    indexes: [{ column: 'user_id' }, { column: 'expires_at' }],
  },
  {
    name: 'auth_reset_tokens',
    comment: 'Password resets: the SHA-256 of the one token that is live for a user.',
    columns: {
      token_hash: text,
      user_id: user,
      created_at: datetime,
      expires_at: datetime,
      used_at: { ...datetime, ...optional },
    },
    primaryKey: ['token_hash'],
    indexes: [{ column: 'user_id', unique: true }],
  },
  {
    name: 'auth_rate_limits',
    comment: 'Attempts counted by address and by account.',
    columns: {
      key: text,
      count: int,
      window_started_at: datetime,
      blocked_until: { ...datetime, ...optional },
    },
    primaryKey: ['key'],
    indexes: [],
  },
  {
    name: 'mail_outbox',
    comment: 'Mail to be sent, and tried again until it is.',
    columns: {
      id: text,
      kind: text,
      recipient: text,
      user_id: { ...user, ...optional },
      created_at: datetime,
      attempts: int,
      next_attempt_at: datetime,
      sent_at: { ...datetime, ...optional },
    },
    primaryKey: ['id'],
    indexes: [{ column: 'user_id' }, { column: 'next_attempt_at', whereNull: 'sent_at' }],
  },
];

/** Uses are counted before the work, mail has contents, and addresses are changed by mail. */
const second: readonly TableLayout[] = [
  ...first.filter(({ name }) => name === 'auth_sessions'),
  {
    name: 'auth_limits',
    comment: 'Uses counted by address and by account, in milliseconds since 1970.',
    columns: { key: text, count: int, started_at: bigint, free_at: bigint },
    primaryKey: ['key'],
    indexes: [],
  },
  {
    name: 'auth_known_addresses',
    comment: 'Networks from which somebody proved to be this user.',
    columns: { key: text, user_id: user, seen_at: datetime },
    primaryKey: ['key'],
    indexes: [{ column: 'user_id' }],
  },
  {
    name: 'auth_mailed_tokens',
    comment: 'Links to a new password or address: the SHA-256 of each token.',
    columns: {
      token_hash: text,
      kind: text,
      user_id: user,
      token_version: int,
      email: text,
      session_id: { ...text, ...optional },
      expires_at: datetime,
    },
    primaryKey: ['token_hash'],
    indexes: [{ column: 'user_id' }],
  },
  ...first
    .filter(({ name }) => name === 'mail_outbox')
    .map((outbox) => ({
      ...outbox,
      columns: { ...outbox.columns, payload: { ...text, ...optional } },
    })),
];

/** The table of totals: a row a table on SQLite; on PostgreSQL their sum, as each write appends what it changes. */
export const rowCounts = 'row_counts';

const third: readonly TableLayout[] = [
  ...second,
  {
    name: rowCounts,
    comment: 'How many rows each table has, and how many of those are deleted: kept by triggers.',
    columns: { name: text, id: uuid, total: bigint, deleted: bigint },
    primaryKey: ['name', 'id'],
    indexes: [],
  },
];

/**
 * The tables of each version, the last one for new projects. A released version never changes: a new one is added after
 * it, and projects get a migration when they are next regenerated.
 */
export const layouts: readonly (readonly TableLayout[])[] = [first, second, third];

/** Tables that are about passwords. All others, except the totals, are about users. */
const ofPasswords = ['auth_known_addresses', 'auth_mailed_tokens'];

/** The tables of a version that an app needs. */
export function neededOf(
  all: readonly TableLayout[] | undefined,
  { accounts, passwords }: { readonly accounts: boolean; readonly passwords: boolean },
): readonly TableLayout[] {
  return (all ?? [])
    .filter(({ name }) => accounts || name === rowCounts)
    .filter(({ name }) => passwords || !ofPasswords.includes(name));
}

/** The version of new projects, and of an older one after its next migration. */
export const latestLayout = layouts.length;

/** A column of users that no model declares. Incrementing it revokes all tokens of the user. */
export const tokenVersion = 'token_version';

/** Columns of `User` that the server never returns. */
export const columnsOfUsers: readonly string[] = ['password', tokenVersion];

/** A table that the server needs and that no model declares. */
export interface InternalTable {
  readonly name: string;
  readonly comment: string;
  /** The kind `user` is a key to a user, with which the row is deleted. */
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
    /** Restricts the index to rows in which this column is null. */
    readonly whereNull?: string;
  }[];
}

const textColumn = { kind: 'text' } as const;
const intColumn = { kind: 'int' } as const;
const bigintColumn = { kind: 'bigint' } as const;
const datetimeColumn = { kind: 'datetime' } as const;
const uuidColumn = { kind: 'uuid' } as const;
const user = { kind: 'user' } as const;
const optional = { nullable: true } as const;

const first: readonly InternalTable[] = [
  {
    name: 'auth_sessions',
    comment: 'One row a login; its refresh token is replaced at each use.',
    columns: {
      id: textColumn,
      user_id: user,
      current_jti: textColumn,
      current_iat: bigintColumn,
      previous_jti: { ...textColumn, ...optional },
      rotated_at: { ...datetimeColumn, ...optional },
      created_at: datetimeColumn,
      expires_at: datetimeColumn,
      revoked_at: { ...datetimeColumn, ...optional },
    },
    primaryKey: ['id'],
    indexes: [{ column: 'user_id' }, { column: 'expires_at' }],
  },
  {
    name: 'auth_reset_tokens',
    comment: 'Password resets: the SHA-256 of the one token that is live for a user.',
    columns: {
      token_hash: textColumn,
      user_id: user,
      created_at: datetimeColumn,
      expires_at: datetimeColumn,
      used_at: { ...datetimeColumn, ...optional },
    },
    primaryKey: ['token_hash'],
    indexes: [{ column: 'user_id', unique: true }],
  },
  {
    name: 'auth_rate_limits',
    comment: 'Attempts counted by address and by account.',
    columns: {
      key: textColumn,
      count: intColumn,
      window_started_at: datetimeColumn,
      blocked_until: { ...datetimeColumn, ...optional },
    },
    primaryKey: ['key'],
    indexes: [],
  },
  {
    name: 'mail_outbox',
    comment: 'Mail to be sent, and tried again until it is.',
    columns: {
      id: textColumn,
      kind: textColumn,
      recipient: textColumn,
      user_id: { ...user, ...optional },
      created_at: datetimeColumn,
      attempts: intColumn,
      next_attempt_at: datetimeColumn,
      sent_at: { ...datetimeColumn, ...optional },
    },
    primaryKey: ['id'],
    indexes: [{ column: 'user_id' }, { column: 'next_attempt_at', whereNull: 'sent_at' }],
  },
];

/** Limits are counted before the work, emails have a payload, and addresses are changed by email. */
const second: readonly InternalTable[] = [
  ...first.filter(({ name }) => name === 'auth_sessions'),
  {
    name: 'auth_limits',
    comment: 'Uses counted by address and by account, in milliseconds since 1970.',
    columns: { key: textColumn, count: intColumn, started_at: bigintColumn, free_at: bigintColumn },
    primaryKey: ['key'],
    indexes: [],
  },
  {
    name: 'auth_known_addresses',
    comment: 'Networks from which somebody proved to be this user.',
    columns: { key: textColumn, user_id: user, seen_at: datetimeColumn },
    primaryKey: ['key'],
    indexes: [{ column: 'user_id' }],
  },
  {
    name: 'auth_mailed_tokens',
    comment: 'Links to a new password or address: the SHA-256 of each token.',
    columns: {
      token_hash: textColumn,
      kind: textColumn,
      user_id: user,
      token_version: intColumn,
      email: textColumn,
      session_id: { ...textColumn, ...optional },
      expires_at: datetimeColumn,
    },
    primaryKey: ['token_hash'],
    indexes: [{ column: 'user_id' }],
  },
  ...first
    .filter(({ name }) => name === 'mail_outbox')
    .map((outbox) => ({
      ...outbox,
      columns: { ...outbox.columns, payload: { ...textColumn, ...optional } },
    })),
];

/** The number of rows of each table. On PostgreSQL, its rows have to be summed, since each write appends one. */
export const rowCounts = 'row_counts';

const third: readonly InternalTable[] = [
  ...second,
  {
    name: rowCounts,
    comment: 'How many rows each table has, and how many of those are deleted: kept by triggers.',
    columns: { name: textColumn, id: uuidColumn, total: bigintColumn, deleted: bigintColumn },
    primaryKey: ['name', 'id'],
    indexes: [],
  },
];

/**
 * The tables of each version, the last one for new projects. A released version never changes: a new one is added after
 * it, and projects get a migration when they are next regenerated.
 */
export const tablesByVersion: readonly (readonly InternalTable[])[] = [first, second, third];

/** Tables that only apps with passwords need. */
const passwordTables = ['auth_known_addresses', 'auth_mailed_tokens'];

/** The tables of one version that an app needs. */
export function tablesNeeded(
  all: readonly InternalTable[] | undefined,
  { accounts, passwords }: { readonly accounts: boolean; readonly passwords: boolean },
): readonly InternalTable[] {
  return (all ?? [])
    .filter(({ name }) => accounts || name === rowCounts)
    .filter(({ name }) => passwords || !passwordTables.includes(name));
}

/** The version that a project gets with its first or next migration. */
export const latestTablesVersion = tablesByVersion.length;

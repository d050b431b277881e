import type { App, Field } from '../model/app.ts';
import { identifier } from '../model/identifier.ts';
import { keyType } from '../model/key-type.ts';
import { plainField } from '../model/plain-field.ts';
import type { Dialect } from './dialect.ts';
import { fieldColumn } from './model-table.ts';
import type { Table } from './table.ts';

/** What authentication and mail keep for themselves. */
export function internalTables(app: App, dialect: Dialect): readonly Table[] {
  return layouts.map((layout) => internalTable(layout, app, dialect));
}

interface Layout {
  readonly name: string;
  readonly comment: string;
  readonly columns: Readonly<Record<string, InternalColumn>>;
  readonly primaryKey: string;
  readonly indexes: readonly InternalIndex[];
}

interface InternalColumn {
  /** A `user` is a key to one, and the row goes with them. */
  readonly kind: 'text' | 'int' | 'bigint' | 'datetime' | 'user';
  readonly nullable?: true;
}

interface InternalIndex {
  readonly column: string;
  readonly unique?: true;
  readonly where?: string;
}

const text = { kind: 'text' } as const;
const int = { kind: 'int' } as const;
const bigint = { kind: 'bigint' } as const;
const datetime = { kind: 'datetime' } as const;
const user = { kind: 'user' } as const;
const optional = { nullable: true } as const;

const layouts: readonly Layout[] = [
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
    primaryKey: 'id',
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
    primaryKey: 'token_hash',
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
    primaryKey: 'key',
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
    primaryKey: 'id',
    indexes: [{ column: 'user_id' }, { column: 'next_attempt_at', where: 'sent_at IS NULL' }],
  },
];

function internalTable(layout: Layout, app: App, dialect: Dialect): Table {
  const { name, comment, columns } = layout;
  const users = app.models.find((model) => model.id === 'model:User');
  const userKey = keyType(users?.idType ?? 'int');
  const fields = Object.entries(columns).map(([column, { kind, nullable = false }]): Field => ({
    ...plainField(name, column),
    type: kind === 'user' ? userKey : { kind },
    nullable,
    source: 'server',
    role: 'declared',
  }));
  const pointers = Object.keys(columns).filter((column) => columns[column]?.kind === 'user');
  return {
    id: `table:${name}`,
    name,
    comment,
    columns: fields.map((field) => fieldColumn(field, dialect)),
    primaryKey: [layout.primaryKey],
    checks: [],
    foreignKeys: pointers.map((column) => ({
      name: identifier([name, column], 'fkey'),
      column,
      table: users?.table ?? 'users',
      target: users?.id ?? 'model:User',
      onDelete: 'cascade',
    })),
    indexes: layout.indexes.map(({ column, unique = false, ...rest }) => ({
      name: identifier([name, column], unique ? 'unique' : 'index'),
      unique,
      keys: [{ column, descending: false }],
      ...rest,
    })),
  };
}

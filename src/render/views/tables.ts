import type { App, Engine, Field, FieldType, JoinTable, Model } from '../../model/app.ts';
import { code, textOf, type Code } from '../code.ts';

/** What `src/database/tables.ts` prints: the columns of every table, as Kysely reads and writes them. */
export interface TablesView {
  /** The types to import from Kysely. */
  readonly imports: Code;
  readonly usesEnums: boolean;
  readonly tables: readonly TableView[];
  readonly aliases: readonly Alias[];
}

interface TableView {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: Code }[];
}

interface Alias {
  readonly name: string;
  readonly comment: string;
  readonly type: Code;
}

export function tablesView(app: App): TablesView {
  const tables = [
    ...app.models.map((model) => modelTable(model, app.database)),
    ...app.joinTables.map((join) => joinTable(join, app)),
    ...internalTables(app),
  ];
  const isUsed = (type: string) =>
    tables.some(({ columns }) => columns.some((column) => textOf(column.type).startsWith(type)));
  const used = aliases[app.database].filter(({ name }) => isUsed(name));
  return {
    imports: code(used.length > 0 ? '{ ColumnType, Generated }' : '{ Generated }'),
    usesEnums: isUsed('enums.'),
    tables,
    aliases: used,
  };
}

/** Types that are not read as they are written. */
const aliases: Readonly<Record<Engine, readonly Alias[]>> = {
  sqlite: [
    {
      name: 'BigInteger',
      comment: 'Up to 64 bits. Beyond 2^53 a number rounds: read it as `cast(column as text)`.',
      type: code('ColumnType<number, number | bigint, number | bigint>'),
    },
  ],
  postgres: [
    {
      name: 'BigInteger',
      comment: 'Up to 64 bits: read as a number while that is exact, as text beyond 2^53.',
      type: code('ColumnType<number | string, number | string, number | string>'),
    },
    {
      name: 'Bytes',
      comment: 'Read as base64.',
      type: code('ColumnType<string, Buffer, Buffer>'),
    },
    {
      name: 'Json',
      comment: 'Written as text: the driver would turn an array into one of PostgreSQL.',
      type: code('ColumnType<unknown, string, string>'),
    },
  ],
};

function modelTable(model: Model, engine: Engine): TableView {
  const columns = model.fields.map((field) => ({
    name: field.column,
    type: code(columnType(field, engine)),
  }));
  const isUser = model.names.type === 'User';
  return {
    name: model.table,
    columns: isUser
      ? [...columns, { name: 'token_version', type: code('Generated<number>') }]
      : columns,
  };
}

function columnType(field: Field, engine: Engine): string {
  if (field.role === 'id' && field.type.kind === 'id') return 'Generated<number>';
  return orNull(valueType(field.type, engine), field.nullable);
}

function valueType(type: FieldType, engine: Engine): string {
  if (type.kind === 'enum') return `enums.${type.enum}`;
  return columnTypes[engine][type.kind];
}

const texts = {
  string: 'string',
  text: 'string',
  email: 'string',
  url: 'string',
  date: 'string',
  time: 'string',
  datetime: 'string',
  uuid: 'string',
} as const;

const columnTypes: Readonly<
  Record<Engine, Readonly<Record<Exclude<FieldType['kind'], 'enum'>, string>>>
> = {
  sqlite: {
    ...texts,
    id: 'number',
    int: 'number',
    bigint: 'BigInteger',
    float: 'number',
    decimal: 'BigInteger',
    bool: 'number',
    json: 'string',
    bytes: 'Buffer',
  },
  postgres: {
    ...texts,
    id: 'number',
    int: 'number',
    bigint: 'BigInteger',
    float: 'number',
    decimal: 'string',
    bool: 'boolean',
    json: 'Json',
    bytes: 'Bytes',
  },
};

function orNull(type: string, nullable: boolean): string {
  return nullable ? `${type} | null` : type;
}

function joinTable(join: JoinTable, app: App): TableView {
  const columns = [join.left, join.right].map(({ column, model }) => ({
    name: column,
    type: code(idTypeOf(app, model)),
  }));
  return { name: join.table, columns };
}

function idTypeOf(app: App, name: string): string {
  const model = app.models.find(({ names }) => names.type === name);
  return model?.idType === 'uuid' ? 'string' : 'number';
}

/** The tables that no model names. */
function internalTables(app: App): readonly TableView[] {
  const userId = idTypeOf(app, 'User');
  return [
    table('auth_sessions', {
      id: 'string',
      user_id: userId,
      current_jti: 'string',
      current_iat: 'number',
      previous_jti: 'string | null',
      rotated_at: 'string | null',
      created_at: 'string',
      expires_at: 'string',
      revoked_at: 'string | null',
    }),
    table('auth_limits', {
      key: 'string',
      count: 'number',
      started_at: 'number',
      free_at: 'number',
    }),
    table('auth_known_addresses', { key: 'string', user_id: userId, seen_at: 'string' }),
    table('auth_mailed_tokens', {
      token_hash: 'string',
      kind: 'string',
      user_id: userId,
      token_version: 'number',
      email: 'string',
      session_id: 'string | null',
      expires_at: 'string',
    }),
    table('mail_outbox', {
      id: 'string',
      kind: 'string',
      recipient: 'string',
      user_id: `${userId} | null`,
      created_at: 'string',
      attempts: 'number',
      next_attempt_at: 'string',
      sent_at: 'string | null',
      payload: 'string | null',
    }),
    table('schema_migrations', { id: 'string', checksum: 'string', applied_at: 'string' }),
  ];
}

function table(name: string, columns: Readonly<Record<string, string>>): TableView {
  return {
    name,
    columns: Object.entries(columns).map(([column, type]) => ({
      name: column,
      type: code(type),
    })),
  };
}

import { formatScaled } from '../../model/decimal.ts';
import type { Json } from '../../model/app.ts';
import { fieldTypes } from '../../model/field-types.ts';
import type { ColumnFacts, Dialect } from '../dialect.ts';
import { idsTable } from '../columns/column-source.ts';
import { everyBound } from '../columns/every-bound.ts';
import { literals } from '../sql/literals.ts';
import { identifierSql, textSql } from '../sql/sql-text.ts';
import { sqliteConversions } from './conversions.ts';

export const sqlite: Dialect = {
  title: 'SQLite',
  generatedId: 'integer PRIMARY KEY AUTOINCREMENT',
  tableOptions: ' STRICT',
  length: { characters: 'length', bytes: 'length' },
  forwardReferences: true,
  // Every key waits for the end of the statement.
  deferred: '',
  columnType: ({ type }) => fieldTypes[type.kind].sql.sqlite,
  // An INTEGER column holds 64 bits, whatever the schema calls it.
  bounds: everyBound,
  shapes: {
    bool: (column) => `${column} IN (0, 1)`,
    date: (column) => `${column} IS date(${column})`,
    time: (column) => `${column} IS strftime('%H:%M:%f', ${column})`,
    datetime: (column) => `${column} IS strftime('%Y-%m-%dT%H:%M:%fZ', ${column})`,
    uuid: (column) => `length(${column}) = 36 AND ${column} NOT GLOB '*[^-0-9a-f]*'`,
    json: (column) => `json_valid(${column})`,
  },
  notes: { decimal: scaleNote },
  literals: {
    ...literals,
    string: text,
    text,
    bool: (value) => (value === true ? '1' : '0'),
    decimal: (value) => String(BigInt(String(value).replace('.', ''))),
    bytes: (value) => `X'${Buffer.from(String(value), 'base64').toString('hex')}'`,
  },
  conversions: sqliteConversions,
  // A key that leads nowhere stays: the look at every reference finds it then.
  newId: (table, old) =>
    `coalesce((SELECT new_id FROM ${identifierSql(idsTable(table))} WHERE old_id = ${old}), ${old})`,
  generated: {
    date: `date('now')`,
    time: `strftime('%H:%M:%f', 'now')`,
    datetime: `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`,
    uuid: randomUuid(),
  },
};

/** Version 4: SQLite counts no time. */
function randomUuid(): string {
  const variant = `substr('89ab', 1 + abs(random() % 4), 1)`;
  const tail = (first: string) => `${first} || substr(${hex(2)}, 2)`;
  const parts = [hex(4), hex(2), tail(`'4'`), tail(variant), hex(6)];
  return `lower(${parts.join(` || '-' || `)})`;
}

function scaleNote({ type }: ColumnFacts): string | undefined {
  if (type.kind !== 'decimal' || type.scale === 0) return undefined;
  return `in units of ${formatScaled(1n, type.scale)}`;
}

/** The line ends of a file are read as `\n`, those of a value stay what they are. */
function text(value: Json): string {
  const parts = String(value).split('\r').map(textSql);
  return parts.length === 1 ? parts.join() : `(${parts.join(' || char(13) || ')})`;
}

function hex(bytes: number): string {
  return `hex(randomblob(${bytes}))`;
}

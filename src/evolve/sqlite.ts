import type { FieldType } from '../model/app.ts';
import { formatScaled } from '../model/decimal.ts';
import { defined } from '../model/defined.ts';
import { fieldTypes } from '../model/field-types.ts';
import type { Bounds, ColumnFacts, Dialect } from './dialect.ts';
import { literals } from './literals.ts';

export const sqlite: Dialect = {
  title: 'SQLite',
  generatedId: 'integer PRIMARY KEY AUTOINCREMENT',
  tableOptions: ' STRICT',
  length: { characters: 'length', bytes: 'length' },
  forwardReferences: true,
  // Every key waits for the end of the statement.
  deferred: '',
  columnType: ({ type }) => fieldTypes[type.kind].sql.sqlite,
  bounds({ type, min, max }) {
    const widest = widestBounds(type);
    return defined({ min: min ?? widest.min, max: max ?? widest.max });
  },
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
    bool: (value) => (value === true ? '1' : '0'),
    decimal: (value) => String(BigInt(String(value).replace('.', ''))),
    bytes: (value) => `X'${Buffer.from(String(value), 'base64').toString('hex')}'`,
  },
};

/** An INTEGER column holds 64 bits, whatever the schema calls it. */
function widestBounds(type: FieldType): Bounds {
  if (type.kind === 'int') return { min: -(2 ** 31), max: 2 ** 31 - 1 };
  if (type.kind !== 'decimal') return {};
  const fraction = type.scale === 0 ? '' : `.${'9'.repeat(type.scale)}`;
  const largest = `${'9'.repeat(type.precision - type.scale) || '0'}${fraction}`;
  return { min: `-${largest}`, max: largest };
}

function scaleNote({ type }: ColumnFacts): string | undefined {
  if (type.kind !== 'decimal' || type.scale === 0) return undefined;
  return `in units of ${formatScaled(1n, type.scale)}`;
}

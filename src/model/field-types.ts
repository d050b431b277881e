import type { Engine, FieldType, Json } from './app.ts';

export type Kind = FieldType['kind'];

/** What the rest of the program needs to know about a type of the schema language. */
export interface TypeFacts {
  /** Column type without length and precision. */
  readonly sql: Readonly<Record<Engine, string>>;
  /** What `min` and `max` of a field bound. */
  readonly range: 'characters' | 'bytes' | 'value' | 'none';
  /** How bounds are kept in the app: exact ones are decimal strings. */
  readonly bounds: 'number' | 'exact' | 'none';
  /** A bound that holds without being written. */
  readonly implied: { readonly max?: number };
  /** The word that stands for a value made on write. */
  readonly generated?: 'now' | 'uuid';
  /** A legal value of an unbounded field, as it travels. */
  readonly sample: Json;
}

const text = {
  sql: { sqlite: 'text', postgres: 'text' },
  range: 'characters',
  bounds: 'number',
  implied: {},
} as const;

const value = { range: 'value', bounds: 'number', implied: {} } as const;
const unbounded = { range: 'none', bounds: 'none', implied: {} } as const;

export const fieldTypes: Readonly<Record<Kind, TypeFacts>> = {
  string: { ...text, sample: 'Autumn' },
  text: { ...text, sample: 'The leaves turned early this year.' },
  email: { ...text, implied: { max: 254 }, sample: 'ann@example.test' },
  url: { ...text, implied: { max: 2048 }, sample: 'https://example.test/' },
  int: { ...value, sql: both('integer'), sample: 42 },
  bigint: {
    ...value,
    sql: { sqlite: 'integer', postgres: 'bigint' },
    bounds: 'exact',
    sample: '9007199254740993',
  },
  float: {
    ...value,
    sql: { sqlite: 'real', postgres: 'double precision' },
    sample: 1.5,
  },
  decimal: {
    ...value,
    sql: { sqlite: 'integer', postgres: 'numeric' },
    bounds: 'exact',
    sample: '9.95',
  },
  bool: {
    ...unbounded,
    sql: { sqlite: 'integer', postgres: 'boolean' },
    sample: true,
  },
  date: {
    ...unbounded,
    sql: { sqlite: 'text', postgres: 'date' },
    generated: 'now',
    sample: '2026-01-02',
  },
  time: {
    ...unbounded,
    sql: { sqlite: 'text', postgres: 'time(3)' },
    generated: 'now',
    sample: '09:30:00.000',
  },
  datetime: {
    ...unbounded,
    sql: { sqlite: 'text', postgres: 'timestamptz(3)' },
    generated: 'now',
    sample: '2026-01-02T03:04:05.678Z',
  },
  uuid: {
    ...unbounded,
    sql: { sqlite: 'text', postgres: 'uuid' },
    generated: 'uuid',
    sample: '01941f29-7c00-7000-8000-000000000000',
  },
  json: {
    ...unbounded,
    sql: { sqlite: 'text', postgres: 'jsonb' },
    sample: { colour: 'red' },
  },
  bytes: {
    sql: { sqlite: 'blob', postgres: 'bytea' },
    range: 'bytes',
    bounds: 'number',
    implied: {},
    sample: 'aGVsbG8=',
  },
  enum: {
    ...unbounded,
    sql: both('text'),
    sample: null,
  },
  id: {
    ...unbounded,
    sql: { sqlite: 'integer', postgres: 'bigint' },
    sample: 1,
  },
};

function both(type: string): Readonly<Record<Engine, string>> {
  return { sqlite: type, postgres: type };
}

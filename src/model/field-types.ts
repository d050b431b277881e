import type { Engine, FieldType, Json } from './app.ts';

export type Kind = FieldType['kind'];

/** What the rest of the program needs to know about a type of the schema language. */
export interface TypeFacts {
  /** The type on the wire, as TypeScript writes it; an enum is its own. */
  readonly typescript: 'string' | 'number' | 'boolean' | 'Json' | 'enum';
  /** Column type without length and precision. */
  readonly sql: Readonly<Record<Engine, string>>;
  /** What `min` and `max` of a field bound. */
  readonly range: 'characters' | 'bytes' | 'value' | 'none';
  /** How bounds are kept in the app: exact ones are decimal strings. */
  readonly bounds: 'number' | 'exact' | 'none';
  /** Bounds that hold without being written. */
  readonly implied: { readonly min?: number; readonly max?: number };
  /** Which filters make sense: all of text's; comparisons; equality; none but `isnull`. */
  readonly operators: 'text' | 'ordered' | 'equality' | 'presence';
  /** The word that stands for a value made on write. */
  readonly generated?: 'now' | 'uuid';
  /** A legal value of an unbounded field, as it travels. */
  readonly sample: Json;
}

const text = {
  typescript: 'string',
  sql: { sqlite: 'text', postgres: 'text' },
  range: 'characters',
  bounds: 'number',
  implied: {},
  operators: 'text',
} as const;

const value = { range: 'value', bounds: 'number', implied: {}, operators: 'ordered' } as const;
const unbounded = { range: 'none', bounds: 'none', implied: {} } as const;

export const fieldTypes: Readonly<Record<Kind, TypeFacts>> = {
  string: { ...text, sample: 'Autumn' },
  text: { ...text, sample: 'The leaves turned early this year.' },
  email: { ...text, implied: { max: 254 }, sample: 'ann@example.test' },
  url: { ...text, implied: { max: 2048 }, sample: 'https://example.test/' },
  int: { ...value, typescript: 'number', sql: both('integer'), sample: 42 },
  bigint: {
    ...value,
    typescript: 'string',
    sql: { sqlite: 'integer', postgres: 'bigint' },
    bounds: 'exact',
    sample: '9007199254740993',
  },
  float: {
    ...value,
    typescript: 'number',
    sql: { sqlite: 'real', postgres: 'double precision' },
    sample: 1.5,
  },
  decimal: {
    ...value,
    typescript: 'string',
    sql: { sqlite: 'integer', postgres: 'numeric' },
    bounds: 'exact',
    sample: '9.95',
  },
  bool: {
    ...unbounded,
    typescript: 'boolean',
    sql: { sqlite: 'integer', postgres: 'boolean' },
    operators: 'equality',
    sample: true,
  },
  date: {
    ...unbounded,
    typescript: 'string',
    sql: { sqlite: 'text', postgres: 'date' },
    operators: 'ordered',
    generated: 'now',
    sample: '2026-01-02',
  },
  time: {
    ...unbounded,
    typescript: 'string',
    sql: { sqlite: 'text', postgres: 'time(3)' },
    operators: 'ordered',
    generated: 'now',
    sample: '09:30:00.000',
  },
  datetime: {
    ...unbounded,
    typescript: 'string',
    sql: { sqlite: 'text', postgres: 'timestamptz(3)' },
    operators: 'ordered',
    generated: 'now',
    sample: '2026-01-02T03:04:05.678Z',
  },
  uuid: {
    ...unbounded,
    typescript: 'string',
    sql: { sqlite: 'text', postgres: 'uuid' },
    operators: 'equality',
    generated: 'uuid',
    sample: '01941f29-7c00-7000-8000-000000000000',
  },
  json: {
    ...unbounded,
    typescript: 'Json',
    sql: { sqlite: 'text', postgres: 'jsonb' },
    operators: 'presence',
    sample: { colour: 'red' },
  },
  bytes: {
    typescript: 'string',
    sql: { sqlite: 'blob', postgres: 'bytea' },
    range: 'bytes',
    bounds: 'number',
    implied: {},
    operators: 'presence',
    sample: 'aGVsbG8=',
  },
  enum: {
    ...unbounded,
    typescript: 'enum',
    sql: both('text'),
    operators: 'equality',
    sample: null,
  },
  id: {
    ...unbounded,
    typescript: 'number',
    sql: { sqlite: 'integer', postgres: 'bigint' },
    operators: 'ordered',
    sample: 1,
  },
};

function both(type: string): Readonly<Record<Engine, string>> {
  return { sqlite: type, postgres: type };
}

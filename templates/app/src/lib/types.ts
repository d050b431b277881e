import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { isText, type JsonValue, type TypeName, type ValueType } from '../database/values.ts';
import type { Field, Fields } from './resource.ts';

export type { JsonValue };

/** Where a value is kept, which no client learns. */
type Kept = Pick<Field, 'column' | 'computed' | 'owner'>;

interface Options extends Kept {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly [keyword: string]: unknown;
}

/** What a schema says besides the words of JSON Schema. A symbol, so that it is neither validated nor documented. */
const kept: unique symbol = Symbol('kept');

/** The options of a schema, in which what is kept stands apart. */
function keeping(type: ValueType, { column, computed, owner, ...options }: Options) {
  return { ...options, [kept]: { ...type, column, computed, owner } };
}

interface Range<Bound> extends Options {
  readonly min?: Bound;
  readonly max?: Bound;
}

const maxId = Number.MAX_SAFE_INTEGER;

export const Id = (options: Options = {}) =>
  Type.Integer({ minimum: 1, maximum: maxId, ...keeping({ type: 'id' }, options) });

/** `min` and `max` count characters, that is code points. */
export const Text = (options: Range<number> = {}) => lengthy('text', options);

export const Email = (options: Range<number> = {}) =>
  lengthy('idn-email', { max: 254, ...options });

export const Url = (options: Range<number> = {}) => lengthy('iri', { max: 2048, ...options });

export const Int = ({ min = -(2 ** 31), max = 2 ** 31 - 1, ...options }: Range<number> = {}) =>
  Type.Integer({ minimum: min, maximum: max, ...keeping({ type: 'int' }, options) });

/** 64 bits, as text: JavaScript's numbers lose digits beyond 2^53. */
export const BigInt = (options: Range<string> = {}) =>
  exact({ type: 'bigint' }, { format: 'int64', ...options });

export const Float = ({ min, max, ...options }: Range<number> = {}) =>
  Type.Number(keeping({ type: 'float' }, { minimum: min, maximum: max, ...options }));

/** As text, so that it never passes through a float: `Decimal(5, 2)` goes up to `999.99`. */
export function Decimal(precision: number, scale: number, options: Range<string> = {}) {
  const whole = precision > scale ? `(0|[1-9]\\d{0,${precision - scale - 1}})` : '0';
  const fraction = scale > 0 ? `(\\.\\d{1,${scale}})?` : '';
  const type = { type: 'decimal', precision, scale } as const;
  return exact(type, { pattern: `^-?${whole}${fraction}$`, ...options });
}

export const Bool = (options: Options = {}) => Type.Boolean(keeping({ type: 'bool' }, options));

export const DateOnly = (options: Options = {}) => formatted('date', options);

/** Without an offset: RFC 3339 calls it a partial time. */
export const Time = (options: Options = {}) => formatted('partial-time', options);

export const DateTime = (options: Options = {}) => formatted('date-time', options);

export const Uuid = (options: Options = {}) => formatted('uuid', options);

/** Any JSON but `null`, which stands for no value. */
export const Json = (options: Options = {}) =>
  Type.Unsafe<JsonValue>({
    type: ['object', 'array', 'string', 'number', 'boolean'],
    items: {},
    additionalProperties: true,
    'x-storable': true,
    ...keeping({ type: 'json' }, options),
  });

/** Base64; `min` and `max` count bytes. */
export const Bytes = ({ min, max, ...options }: Range<number> = {}) =>
  formatted('byte', { 'x-minimum-bytes': min, 'x-maximum-bytes': max, ...options });

export const OneOf = <const Value extends string>(
  values: readonly Value[],
  options: Options = {},
) =>
  Type.Unsafe<Value>({
    type: 'string',
    enum: values,
    ...keeping({ type: 'enum', values }, options),
  });

/** Or `null`, in the same schema: a choice of two schemas would report two errors for one mistake. */
export function Nullable<Schema extends TSchema>(schema: Schema, options: Options = {}) {
  const { type, enum: values } = { type: [], enum: undefined, ...schema };
  return Type.Unsafe<Static<Schema> | null>({
    ...schema,
    type: [type, 'null'].flat(),
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
    ...options,
  });
}

/** Each `format`, and the type whose values it stands for. */
export const typeOfFormat = {
  text: 'text',
  'idn-email': 'email',
  iri: 'url',
  int64: 'bigint',
  date: 'date',
  'partial-time': 'time',
  'date-time': 'datetime',
  uuid: 'uuid',
  byte: 'bytes',
} as const satisfies Readonly<Record<string, TypeName>>;

function formatted(format: keyof typeof typeOfFormat, options: Options) {
  return Type.String({ format, ...keeping({ type: typeOfFormat[format] }, options) });
}

function lengthy(format: keyof typeof typeOfFormat, { min, max, ...options }: Range<number>) {
  return formatted(format, { minLength: min, maxLength: max, ...options });
}

function exact(type: ValueType, { min, max, ...options }: Range<string>) {
  return Type.String(keeping(type, { 'x-minimum': min, 'x-maximum': max, ...options }));
}

/**
 * What lists and rows know of the fields of a model: all of it follows from the schema of its rows, and of what a client
 * sends to make one. What a client never sends, the server sets; what is never shown is secret, and `inner` is both.
 */
export function fieldsOf<Row extends TObject>(
  row: Row,
  create: TObject,
  inner: Readonly<Record<string, TSchema>> = {},
): Fields<Static<Row>> {
  const all = { ...row.properties, ...create.properties, ...inner };
  const fields = Object.entries<Described>(all).flatMap(([name, schema]): [string, Field][] => {
    const field = fieldIn(name, schema);
    if (field === undefined) return [];
    const isSent = Object.hasOwn(create.properties, name);
    const isShown = Object.hasOwn(row.properties, name);
    return [
      [name, { ...field, ...(!isSent && { set: 'server' }), ...(!isShown && { hidden: true }) }],
    ];
  });
  return Object.fromEntries(fields);
}

/** A list of ids is no field: it says what a row is linked to. */
function fieldIn(name: string, schema: Described): Field | undefined {
  const { type, default: initial, [kept]: known } = schema;
  if (type === 'array') return undefined;
  if (known === undefined) {
    throw new Error(
      `The field \`${name}\` needs a type of \`lib/types.ts\`, such as \`t.Text()\`.`,
    );
  }
  const field = initial === undefined ? known : { ...known, default: initial };
  return [type].flat().includes('null') ? { ...field, nullable: true } : field;
}

interface Described {
  readonly type?: unknown;
  readonly default?: unknown;
  readonly [kept]?: Field;
}

/** The keyword of the schemas below, for Ajv. */
export const asSent = 'x-as-sent';

/**
 * Parameters that their handler reads itself, more strictly than a schema can say: in the schema they are
 * documentation, and they arrive as the texts that were sent.
 */
export function parametersAsSent(properties: object, required: readonly string[] = []): object {
  return { type: 'object', properties, required, additionalProperties: false, [asSent]: true };
}

/** A body that is checked, and has no defaults filled in: whoever stores it knows what the client has sent. */
export function bodyAsSent<Schema extends object>(schema: Schema): Schema {
  return { ...schema, [asSent]: true };
}

/** bcrypt reads no further, so what is longer is refused rather than cut. */
const maxBytes = 72;

/** A new password. How long it must be is a setting: `plugins/validation.ts`. */
export const Password = Type.String({
  [kept]: { type: 'text' },
  format: 'password',
  description: `At least 8 characters, at most ${maxBytes} bytes.`,
});

export function isAcceptablePassword(password: string, minLength: number): boolean {
  return (
    [...password].length >= minLength && Buffer.byteLength(password) <= maxBytes && isText(password)
  );
}

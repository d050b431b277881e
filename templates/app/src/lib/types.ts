import { type Static, type TSchema, Type } from 'typebox';
import {
  compareDecimals,
  isJson,
  isText,
  type JsonValue,
  type TypeName,
  wireTypes,
} from '../database/values.ts';

export type { JsonValue };

interface Options {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly [keyword: string]: unknown;
}

interface Range<Bound> extends Options {
  readonly min?: Bound;
  readonly max?: Bound;
}

const maxId = Number.MAX_SAFE_INTEGER;

export const Id = (options: Options = {}) =>
  Type.Integer({ minimum: 1, maximum: maxId, ...options });

export const UuidId = (options: Options = {}) => Uuid(options);

/** `min` and `max` count characters, that is code points. */
export const Text = ({ min, max, ...options }: Range<number> = {}) =>
  Type.String({
    format: 'text',
    ...named('minLength', min),
    ...named('maxLength', max),
    ...options,
  });

export const Email = (options: Range<number> = {}) =>
  Text({ max: 254, format: 'idn-email', ...options });

export const Url = (options: Range<number> = {}) => Text({ max: 2048, format: 'iri', ...options });

export const Int = ({ min = -(2 ** 31), max = 2 ** 31 - 1, ...options }: Range<number> = {}) =>
  Type.Integer({ minimum: min, maximum: max, ...options });

/** 64 bits, as text: JavaScript's numbers lose digits beyond 2^53. */
export const BigInt = (options: Range<string> = {}) => exact({ format: 'int64', ...options });

export const Float = ({ min, max, ...options }: Range<number> = {}) =>
  Type.Number({ ...named('minimum', min), ...named('maximum', max), ...options });

/** As text, so that it never passes through a float: `Decimal(5, 2)` goes up to `999.99`. */
export function Decimal(precision: number, scale: number, options: Range<string> = {}) {
  const whole = precision > scale ? `(0|[1-9]\\d{0,${precision - scale - 1}})` : '0';
  const fraction = scale > 0 ? `(\\.\\d{1,${scale}})?` : '';
  return exact({ pattern: `^-?${whole}${fraction}$`, ...options });
}

export const Bool = (options: Options = {}) => Type.Boolean({ ...options });

export const DateOnly = (options: Options = {}) => Type.String({ format: 'date', ...options });

/** Without an offset: RFC 3339 calls it a partial time. */
export const Time = (options: Options = {}) => Type.String({ format: 'partial-time', ...options });

export const DateTime = (options: Options = {}) => Type.String({ format: 'date-time', ...options });

export const Uuid = (options: Options = {}) => Type.String({ format: 'uuid', ...options });

/** Any JSON but `null`, which stands for no value. */
export const Json = (options: Options = {}) =>
  Type.Unsafe<JsonValue>({
    type: ['object', 'array', 'string', 'number', 'boolean'],
    additionalProperties: true,
    'x-storable': true,
    ...options,
  });

/** Base64; `min` and `max` count bytes. */
export const Bytes = ({ min, max, ...options }: Range<number> = {}) =>
  Type.String({
    format: 'byte',
    ...named('x-minimum-bytes', min),
    ...named('x-maximum-bytes', max),
    ...options,
  });

export const OneOf = <const Value extends string>(
  values: readonly Value[],
  options: Options = {},
) => Type.Unsafe<Value>({ type: 'string', enum: values, ...options });

/** `null` besides, in the same schema: one that is tried after another makes two errors of one. */
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

/** The check of each `format`, for Ajv. */
export const formats = Object.fromEntries(
  Object.entries(typeOfFormat).map(([format, type]) => [
    format,
    (value: string) => wireTypes[type].check(value, { type }),
  ]),
);

/** What JSON Schema has no word for, for Ajv. */
export const keywords = [
  {
    keyword: 'x-minimum',
    validate: (bound: string, value: unknown) =>
      !isNumeral(value) || compareDecimals(value, bound) >= 0,
    error: { message: 'is too small' },
  },
  {
    keyword: 'x-maximum',
    validate: (bound: string, value: unknown) =>
      !isNumeral(value) || compareDecimals(value, bound) <= 0,
    error: { message: 'is too large' },
  },
  {
    keyword: 'x-minimum-bytes',
    validate: (bound: number, value: unknown) => sizeOf(value, bound) >= bound,
    error: { message: 'is too short' },
  },
  {
    keyword: 'x-maximum-bytes',
    validate: (bound: number, value: unknown) => sizeOf(value, bound) <= bound,
    error: { message: 'is too long' },
  },
  {
    keyword: 'x-storable',
    validate: (_: unknown, value: unknown) => isJson(value),
    error: { message: 'must hold neither NUL nor half of a surrogate pair' },
  },
];

function exact({ min, max, ...options }: Range<string>) {
  return Type.String({ ...named('x-minimum', min), ...named('x-maximum', max), ...options });
}

function named<Value>(
  keyword: string,
  value: Value | undefined,
): { readonly [keyword: string]: Value } {
  return value === undefined ? {} : { [keyword]: value };
}

/** Ajv asks every keyword even after `type` or `pattern` said no. */
function isNumeral(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
}

function sizeOf(value: unknown, otherwise: number): number {
  return typeof value === 'string' ? Buffer.byteLength(value, 'base64') : otherwise;
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
  format: 'password',
  description: `At least 8 characters, at most ${maxBytes} bytes.`,
});

export function isAcceptablePassword(password: string, minLength: number): boolean {
  return (
    [...password].length >= minLength && Buffer.byteLength(password) <= maxBytes && isText(password)
  );
}

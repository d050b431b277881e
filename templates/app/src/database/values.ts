export type JsonValue =
  null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** The type that the schema gives to a field, and so to a column. */
export interface ValueType {
  readonly type: TypeName;
  /** Of a decimal: how many digits, and how many of them after the point. */
  readonly precision?: number;
  readonly scale?: number;
  /** Of an enum. */
  readonly values?: readonly string[];
}

export type TypeName = keyof typeof types;

/** How the values of a type are sent. */
interface WireType {
  /** For people: `must be …`. `expectedOf` says it of a field. */
  readonly expected: string;
  readonly check: (value: unknown, field: ValueType) => boolean;
  /** Reads the text of a query string; without it, the text is the value. */
  readonly parse?: (text: string) => unknown;
  /** The canonical form of texts that mean the same. */
  readonly canonical?: (text: string, field: ValueType) => string;
}

const text: WireType = { expected: 'text', check: texts(isText) };

const types = {
  text,
  email: { expected: 'an email address', check: texts(isEmail), canonical: canonicalEmail },
  url: { expected: 'an http or https URL', check: texts(isUrl) },
  int: { expected: 'a whole number of 32 bits', check: isInt32, parse: parseInteger },
  bigint: { expected: 'a whole number of 64 bits, as text', check: texts(isInt64) },
  float: { expected: 'a number', check: Number.isFinite, parse: parseNumber },
  decimal: { expected: 'a decimal number, as text', check: isDecimal, canonical: canonicalDecimal },
  bool: { expected: 'true or false', check: isBoolean, parse: parseBoolean },
  date: { expected: 'a date like 2026-01-31', check: texts(isDate) },
  time: { expected: 'a time like 09:30:00', check: texts(isTime), canonical: canonicalTime },
  datetime: {
    expected: 'a time like 2026-01-31T09:30:00Z',
    check: texts(isDateTime),
    canonical: (value) => new Date(value).toISOString(),
  },
  uuid: { expected: 'a uuid', check: texts(isUuid), canonical: (value) => value.toLowerCase() },
  json: { expected: 'JSON', check: isJson },
  bytes: { expected: 'base64', check: texts(isBase64) },
  'string[]': { expected: 'a list of texts', check: lists(texts(isText)) },
  'int[]': { expected: 'a list of whole numbers of 32 bits', check: lists(isInt32) },
  enum: { expected: 'one of the values', check: isOneOf },
  id: { expected: 'an id', check: isId, parse: parseInteger },
} satisfies Readonly<Record<string, WireType>>;

/** The type of the items of a list; `undefined` for what is not a list. */
export const itemTypes: Readonly<Partial<Record<TypeName, TypeName>>> = {
  'string[]': 'text',
  'int[]': 'int',
};

/** The same checks for bodies, filters and cursors. */
export const wireTypes: Readonly<Record<TypeName, WireType>> = types;

/** For people: a value of the field `must be …`. */
export function expectedOf(field: ValueType): string {
  if (field.type === 'enum') return `one of ${field.values?.join(', ')}`;
  return field.type === 'decimal' ? expectedDecimal(field) : wireTypes[field.type].expected;
}

/** `a decimal number of 2 or fewer places as text, like "12.50", between -999.99 and 999.99` */
function expectedDecimal({ precision = 18, scale = 0 }: ValueType): string {
  const kind = scale === 0 ? 'a whole number' : `a decimal number of ${scale} or fewer places`;
  const number = (whole: string, fraction: string) =>
    [whole.slice(0, precision - scale) || '0', fraction.slice(0, scale)].filter(Boolean).join('.');
  const most = number('9'.repeat(precision), '9'.repeat(precision));
  return `${kind} as text, like "${number('12', '50')}", between -${most} and ${most}`;
}

export function canonical(value: unknown, field: ValueType): unknown {
  const form = wireTypes[field.type].canonical;
  return form !== undefined && typeof value === 'string' ? form(value, field) : value;
}

/** Text that both databases store unchanged: no NUL, no half of a surrogate pair. */
export function isText(value: string): boolean {
  return !value.includes('\0') && !/\p{Surrogate}/u.test(value);
}

export function isEmail(value: string): boolean {
  const address = value.trim();
  return (
    address.length <= 254 &&
    /^[^\s\p{C}@<>"(),:;[\]\\]+@([\p{L}\p{M}\p{N}-]+\.)+[\p{L}\p{M}\p{N}-]+$/u.test(address)
  );
}

export function canonicalEmail(value: string): string {
  return value.trim().toLowerCase().normalize('NFC');
}

export function isUrl(value: string): boolean {
  return value.length <= 2048 && /^https?:\/\/[^\s\p{C}]+$/iu.test(value) && parses(value);
}

/** `URL.canParse` of Node 20 and 22, once it is optimised, refuses some letters beyond ASCII. */
function parses(url: string): boolean {
  try {
    return new URL(url).href !== '';
  } catch {
    return false;
  }
}

export function isInt64(value: string): boolean {
  return /^(0|-?[1-9]\d{0,18})$/.test(value) && BigInt.asIntN(64, BigInt(value)) === BigInt(value);
}

export function isDate(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(value) || value < '0001') return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

export function isTime(value: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?$/.test(value);
}

/** RFC 3339 with its offset; no leap seconds, no year outside 1 to 9999 once it is in UTC. */
export function isDateTime(value: string): boolean {
  const parts =
    /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d(?:\.\d{1,9})?)(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/.exec(
      value,
    );
  if (parts === null) return false;
  const [, date = '', time = ''] = parts;
  return isDate(date) && isTime(time) && /^(?!0000)\d/.test(new Date(value).toISOString());
}

export function isUuid(value: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}

/** Canonical (RFC 4648, section 4): padded, no other alphabet, no stray bits. */
export function isBase64(value: string): boolean {
  return Buffer.from(value, 'base64').toString('base64') === value;
}

export function isJson(value: unknown): boolean {
  if (typeof value === 'string') return isText(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value !== 'object' || value === null) return value !== undefined;
  return Object.entries(value).every(([key, part]) => isText(key) && isJson(part));
}

/** `1.5` at scale 2 → `150n` */
export function scaled(value: string, scale: number): bigint {
  const [whole = '0'] = value.split('.');
  return BigInt(whole + fractionOf(value).padEnd(scale, '0'));
}

function fractionOf(value: string): string {
  return value.split('.')[1] ?? '';
}

function texts(check: (value: string) => boolean): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && check(value);
}

function lists(check: (item: unknown) => boolean): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every(check);
}

function isInt32(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) === (Number(value) | 0);
}

function isDecimal(value: unknown, field: ValueType): boolean {
  if (typeof value !== 'string' || !/^-?(0|[1-9]\d*)(\.\d+)?$/.test(value)) return false;
  const { precision = 18, scale = 0 } = field;
  const digits = value.replace(/^-?0?|\..*/g, '').length;
  return digits <= precision - scale && fractionOf(value).length <= scale;
}

/** As many decimals as the field has: `1.5` → `1.50`. */
function canonicalDecimal(value: string, field: ValueType): string {
  const [whole = '0'] = value.split('.');
  const { scale = 0 } = field;
  const full = scale === 0 ? whole : `${whole}.${fractionOf(value).padEnd(scale, '0')}`;
  return /[1-9]/.test(full) ? full : full.replace('-', '');
}

/** `09:30` → `09:30:00.000` */
function canonicalTime(value: string): string {
  const [, minutes = '', seconds = '00', fraction = ''] =
    /^(..:..):?(..)?\.?(\d*)$/.exec(value) ?? [];
  return `${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}`;
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

function isOneOf(value: unknown, field: ValueType): boolean {
  return typeof value === 'string' && field.values?.includes(value) === true;
}

function isId(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** `01`, `+5`, `1e2`, `0x10` and `٥` are not whole numbers. */
function parseInteger(value: string): number {
  return /^-?(0|[1-9]\d*)$/.test(value) ? Number(value) : Number.NaN;
}

/** A number as JSON writes it. */
function parseNumber(value: string): number {
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(value) ? Number(value) : Number.NaN;
}

function parseBoolean(value: string): unknown {
  if (value === 'true') return true;
  return value === 'false' ? false : value;
}

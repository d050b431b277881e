import type { App, Field, Model } from '../../src/model/app.ts';
import { listEnumValues } from '../../src/model/lookups.ts';
import type { Json } from '../../src/types/field-type.ts';

export type Row = Readonly<Record<string, unknown>>;

/** What is wrong with the seeded rows of a model, each sentence once. */
export function oddities(model: Model, rows: readonly Row[], app: App): readonly string[] {
  const found = new Set<string>();
  for (const row of rows) {
    for (const field of model.fields.filter(({ role }) => role === 'declared')) {
      const value = row[field.column];
      if (value === null ? field.nullable : isLegal(field, value, app)) continue;
      found.add(`${model.names.type}.${field.name} holds ${JSON.stringify(value)}`);
    }
    for (const fault of [
      ...wrongSpans(model, row),
      ...farMoments(model, row),
      ...wrongStates(model, row, app),
      ...wrongAmounts(model, row),
    ]) {
      found.add(fault);
    }
  }
  return [...found, ...idleHours(model, rows), ...oddNumbers(model, rows)];
}

function isLegal(field: Field, value: unknown, app: App): boolean {
  const { type, min, max, pattern } = field;
  switch (type.kind) {
    case 'string':
    case 'text':
    case 'email':
    case 'url': {
      const length = [...String(value)].length;
      const fits = length >= Number(min ?? 0) && length <= Number(max ?? Infinity);
      return fits && new RegExp(pattern ?? '', 'u').test(String(value));
    }
    case 'int':
    case 'float':
      return Number(value) >= Number(min ?? -Infinity) && Number(value) <= Number(max ?? Infinity);
    case 'bigint':
      return isWithin(BigInt(String(value)), field, BigInt);
    case 'decimal': {
      const { scale } = type;
      const digits = String(value).split('.')[1] ?? '';
      return (
        digits.length === scale &&
        isWithin(units(String(value), scale), field, (bound) => units(bound, scale))
      );
    }
    case 'enum':
      return listEnumValues(field, app).some((each) => each.value === value);
    case 'json':
      return isLike(value, field.default?.kind === 'literal' ? field.default.value : field.example);
    case 'bytes': {
      const { length } = Buffer.from(String(value), 'base64');
      return length >= Number(min ?? 0) && length <= Number(max ?? Infinity);
    }
    default:
      return value !== undefined;
  }
}

function isWithin(value: bigint, { min, max }: Field, read: (bound: string) => bigint): boolean {
  const isLow = min !== undefined && value < read(String(min));
  return !isLow && (max === undefined || value <= read(String(max)));
}

/** `1.5` at scale 2 → `150n` */
function units(text: string, scale: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}

/** Whether a value looks like a default: a list for a list, an object with the same members. */
function isLike(value: unknown, shape: Json | undefined): boolean {
  if (shape === undefined || shape === null) return true;
  if (Array.isArray(shape)) return Array.isArray(value);
  if (typeof shape !== 'object') return typeof value === typeof shape;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const members: Row = { ...value };
  return Object.entries(shape).every(([key, part]) => isLike(members[key], part));
}

const spans = [
  ['starts_at', 'ends_at'],
  ['starts_on', 'ends_on'],
  ['startTime', 'endTime'],
  ['begins', 'finishes'],
  ['opened_at', 'closed_on'],
  ['opens_at', 'closes_at'],
  ['valid_from', 'valid_until'],
  ['rented_at', 'returned_at'],
] as const;

/** What does not end after it starts; where one of the two is a day, the days are compared. */
function wrongSpans({ names, fields }: Model, row: Row): readonly string[] {
  return spans.flatMap(([start, end]) => {
    const [from, to] = [start, end].map((name) => fields.find((field) => field.name === name));
    const [began, ended] = [row[from?.column ?? ''], row[to?.column ?? '']];
    if (typeof began !== 'string' || typeof ended !== 'string') return [];
    const length = Math.min(began.length, ended.length);
    return ended.slice(0, length) > began.slice(0, length)
      ? []
      : [`${names.type} ${start} ${began}, ${end} ${ended}`];
  });
}

/** The value that a field of this name has to have by others in its row; undefined where one of them is not known. */
const followed: Readonly<Record<string, (it: (name: string) => unknown) => number | undefined>> = {
  gross: (it) => Number(it('net')) + Number(it('vat')),
  total_cost: (it) => Number(it('labour_cost')) + Number(it('parts_cost')),
  line_total: (it) => Number(it('quantity')) * Number(it('unit_price')),
  total: (it) =>
    Number(it('subtotal')) + Number(it('tax')) + Number(it('shipping')) - Number(it('discount')),
  nights: (it) => (time(it('check_out')) - time(it('check_in'))) / 86_400_000,
  duration_minutes: (it) =>
    it('ends_at') === null ? undefined : (time(it('ends_at')) - time(it('starts_at'))) / 60_000,
  age: (it) => {
    const [born, today] = [String(it('date_of_birth')), new Date().toISOString()];
    const years = Number(today.slice(0, 4)) - Number(born.slice(0, 4));
    return today.slice(5, 10) < born.slice(5, 10) ? years - 1 : years;
  },
};

const time = (value: unknown) => Date.parse(String(value));

/** Amounts that do not follow from the other values of their row; they may be a cent off by rounding. */
function wrongAmounts({ names, fields }: Model, row: Row): readonly string[] {
  const valueOf = (name: string) => {
    const column = fields.find((field) => field.name === name)?.column;
    return column === undefined ? NaN : row[column];
  };
  return Object.entries(followed).flatMap(([name, follows]) => {
    const [value, expected] = [valueOf(name), follows(valueOf)];
    // A model that does not have all of the fields is about something else.
    if (Number.isNaN(value) || Number.isNaN(expected)) return [];
    const isRight =
      expected === undefined ? value === null : Math.abs(Number(value) - expected) < 0.006;
    return isRight ? [] : [`${names.type}.${name} is ${String(value)}, not ${expected}`];
  });
}

/** A moment that is named after a state has to be set from that state on, and has to be in the past. */
function wrongStates({ names, fields }: Model, row: Row, app: App): readonly string[] {
  const values = fields
    .filter(({ type, nullable }) => type.kind === 'enum' && !nullable)
    .map((field) => ({ at: row[field.column], all: listEnumValues(field, app) }));
  return Object.entries(row).flatMap(([column, moment]) => {
    const [, event] =
      /^(created|updated|approved|published|opened|rented|returned|logged)_(?:at|on)$/.exec(
        column,
      ) ?? [];
    if (event === undefined) return [];
    const isLate = moment !== null && Date.parse(String(moment)) > Date.now();
    const isOdd = values.some(({ at, all }) => {
      const order = all.map(({ value }) => value);
      const first = order.indexOf(event);
      return first > 0 && order.indexOf(String(at)) >= first !== (moment !== null);
    });
    return isLate || isOdd ? [`${names.type}.${column} is ${String(moment)}`] : [];
  });
}

/** `character 73790` in more than one in ten rows, where words are left. */
function oddNumbers({ names, fields }: Model, rows: readonly Row[]): readonly string[] {
  return fields
    .filter(({ type, role, pattern }) => type.kind === 'string' && role === 'declared' && !pattern)
    .flatMap(({ name, column }) => {
      const odd = rows.filter((row) => /[a-z] \d{4,}$/.test(String(row[column])));
      return odd.length > rows.length / 10 ? [`${names.type}.${name} often ends in a number`] : [];
    });
}

const year = 365 * 86_400_000;

/** Fields whose moments can be chosen freely: unique ones and birthdays cannot. */
function around({ fields, unique }: Model, kinds: readonly string[]): readonly Field[] {
  return fields.filter(
    ({ name, type, role }) =>
      kinds.includes(type.kind) &&
      role === 'declared' &&
      !/birth|born/.test(name) &&
      !unique.some((constraint) => constraint.fields.includes(name)),
  );
}

function farMoments(model: Model, row: Row): readonly string[] {
  return around(model, ['date', 'datetime']).flatMap(({ name, column }) => {
    const value = row[column];
    if (value === null) return [];
    const isFar = Math.abs(Date.parse(String(value)) - Date.now()) > 2 * year;
    return isFar ? [`${model.names.type}.${name} is at ${String(value)}`] : [];
  });
}

/** Fields with more than one in ten moments at night or on a weekend. */
function idleHours(model: Model, rows: readonly Row[]): readonly string[] {
  return around(model, ['datetime']).flatMap(({ name, column }) => {
    const moments = rows.flatMap((row) =>
      row[column] === null ? [] : new Date(String(row[column])),
    );
    const idle = moments.filter((moment) => {
      const hour = moment.getUTCHours();
      return hour < 8 || hour > 20 || moment.getUTCDay() % 6 === 0;
    });
    return idle.length > moments.length / 10
      ? [`${model.names.type}.${name} is often at night`]
      : [];
  });
}

import type { Turn } from '../conversation.ts';

const password = 'correct horse battery';

/** Made beforehand by `create-user`. */
export const staff = [
  {
    role: 'curator',
    name: 'Cleo',
    email: 'cleo@example.test',
    password,
    fields: ['--birthday', '1990-02-28', '--badge', 'AB-12'],
  },
] as const;

interface Values {
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
  /** Filters that the type takes, and some that it refuses. */
  readonly filters: readonly string[];
  readonly refused: readonly string[];
}

/** Values at and beyond the edges of every type: what one engine takes, the other has to take alike. */
const fields: Readonly<Record<string, Values>> = {
  label: {
    good: ['', ' ', 'ü🙂 e\u0301', 'it\'s %_\\ "q"', null],
    bad: [7, true, ['x'], 'a\u0000b'],
    filters: ['=', '__isnull=true', '__icontains=Ü', '__in=a,b'],
    refused: ['__isnull=maybe', '__between=a'],
  },
  story_short: {
    good: ['', 'x'.repeat(400)],
    bad: ['x'.repeat(401), null],
    filters: ['__contains=x'],
    refused: ['__like=x'],
  },
  contact: {
    good: ['  Ann@Example.TEST ', null],
    bad: ['ann', 'ann@', '@example.test', 'a b@example.test', ''],
    filters: ['=ann@example.test', '__iendswith=EXAMPLE.TEST'],
    refused: [],
  },
  website: {
    good: ['https://example.test/?a=b#c', 'http://example.test', null],
    bad: ['example', 'javascript:alert(1)', 'https://', ''],
    filters: ['__startswith=https'],
    refused: [],
  },
  pieces: {
    good: [1, 500],
    bad: [0, 501, 1.5, '1', null, true],
    filters: ['=1', '__between=1,500', '__in=1,2', '__gte=499'],
    refused: ['=x', '=1.5', '=1e2', '__between=1', '__contains=1', '=٣'],
  },
  depth: {
    good: [-11000, 0, 9000, null],
    bad: [-11001, 9001, 2 ** 31],
    filters: ['__lt=0', '__lt=-1'],
    refused: ['=--1'],
  },
  weight: {
    good: [0, 0.1, 1e-7, 1.5e300, 12345678.9, 1e15, 1.5e17],
    bad: [-0.5, '1', true],
    filters: ['=0.1', '__gt=1e3', '__lte=0'],
    refused: ['=NaN', '=Infinity', '=0x10', '='],
  },
  value: {
    good: ['0', '0.01', '-9999999999.99', '10', '10.5', '10.50', null],
    bad: ['10.505', '10000000000', '1e2', 'NaN', '', ' 1', 1.5, '+1', '.5'],
    filters: ['=10.5', '__gt=9', '__lt=100', '__between=-1,11', '__in=0.01,10'],
    refused: ['=ten', '=1e2', '__contains=1'],
  },
  share: {
    good: ['0', '1', '0.3333'],
    bad: ['1.0001', '-0.1', '0.33333'],
    filters: ['__lte=0.5'],
    refused: ['=NaN'],
  },
  on_display: {
    good: [true, false],
    bad: ['true', 1, 0, null],
    filters: ['=true', '=false', '__ne=true'],
    refused: ['=1', '=yes', '__gt=true'],
  },
  fragile: { good: [null, true], bad: ['false'], filters: ['__isnull=true'], refused: ['='] },
  found_on: {
    good: ['2024-02-29', '0001-01-01', '9999-12-31', null],
    bad: ['2023-02-29', '2024-2-9', '2024-02-29T00:00:00Z', 20240229, '10000-01-01'],
    filters: ['=2024-02-29', '__lt=1000-01-01', '__between=2024-01-01,2024-12-31'],
    refused: ['=2023-02-29', '=today'],
  },
  closes_at: {
    good: ['00:00:00', '23:59:59', '23:59:59.999', null],
    bad: ['24:00:00', '23:60:00', '9:00', 'noon'],
    filters: ['__gt=12:00:00', '=23:59:59'],
    refused: ['=noon'],
  },
  restored_at: {
    good: [
      '2026-01-02T03:04:05Z',
      '2026-01-02T03:04:05.678+05:30',
      '1969-12-31T23:59:59.999Z',
      null,
    ],
    bad: ['2026-02-30T00:00:00Z', '2026-01-02', '2026-01-02T03:04:05', '2026-01-02T25:00:00Z', 0],
    filters: ['=2026-01-01T21:34:05.678Z', '__lt=1970-01-01T00:00:00Z', '__isnull=false'],
    refused: ['=2026-02-30T00:00:00Z', '=now'],
  },
  loan: {
    good: ['018f4e6a-7b8c-7d9e-8f00-112233445566', '018F4E6A-7B8C-7D9E-8F00-112233445566', null],
    bad: [
      '018f4e6a',
      '{018f4e6a-7b8c-7d9e-8f00-112233445566}',
      'urn:uuid:018f4e6a-7b8c-7d9e-8f00-112233445566',
    ],
    filters: ['=018f4e6a-7b8c-7d9e-8f00-112233445566', '__isnull=true'],
    refused: ['=1', '__contains=018f'],
  },
  notes: {
    good: [
      { b: 1, a: [null, 1.5, 'ü'] },
      [],
      'text',
      0,
      false,
      null,
      { __then__: { constructor: 1 } },
      1e21,
      0.1,
    ],
    bad: [],
    filters: ['__isnull=true'],
    refused: ['__gt=1'],
  },
  photo: {
    good: ['', 'aGVsbG8=', null],
    bad: ['aGVsbG8', 'a b=', 'aGVsbG8_', 7],
    filters: ['__isnull=false'],
    refused: [],
  },
  condition: {
    good: ['mint'],
    bad: ['Mint', '', null, 1],
    filters: ['=mint', '__in=mint,worn', '__nin=mint'],
    refused: ['=Mint', '__icontains=m'],
  },
  epoch: {
    good: ['stone', null],
    bad: ['gold'],
    filters: ['__ne=stone', '__isnull=true'],
    refused: ['=gold'],
  },
  limit: { good: [0, 10, null], bad: [11], filters: ['__eq=10', '__lt=5'], refused: ['__eq=x'] },
};

let serial = 0;

/** A thing that lacks nothing, so that one wrong field is one problem. */
function thing(more: object): object {
  serial += 1;
  const name = `Thing ${String(serial).padStart(3, '0')}`;
  return { name, story: 'Found.', catalogue_number: `${serial}`, serial: `s-${serial}`, ...more };
}

const created = (field: string, value: unknown, status: number): Turn => ({
  says: `${field} ${status === 201 ? 'takes' : 'refuses'} ${JSON.stringify(value)?.slice(0, 60)}`,
  send: 'POST /api/v1/things/',
  as: 'cleo',
  json: thing({ [field]: value }),
  status,
});

/** Fields that strangers do not see: the curator asks. */
const asSeen = (field: string) => (['value', 'loan'].includes(field) ? { as: 'cleo' } : {});

const listed = (query: string, status = 200): Turn => ({
  ...asSeen(/^\w+?(?=__|=|$)/.exec(query)?.[0] ?? ''),
  says: `${status === 200 ? 'lists' : 'refuses to list'} ${query}`,
  send: `GET /api/v1/things/?${encodeURI(query)}&limit=1000&order_by=name`,
  status,
});

export const everyType: readonly Turn[] = [
  {
    says: 'the curator logs in',
    send: 'POST /auth/token',
    json: { username: 'cleo@example.test', password },
    status: 200,
    keep: 'cleo',
  },
  {
    says: 'a registration without the required fields',
    send: 'POST /auth/register',
    json: { name: 'Dan', email: 'dan@example.test', password },
    status: 422,
  },
  {
    says: 'a registration with them, and a secret',
    send: 'POST /auth/register',
    json: {
      name: 'Dan',
      email: 'dan@example.test',
      password,
      birthday: '2000-02-29',
      badge: 'DAN-1',
      pin: '1234',
    },
    status: 201,
    keep: 'danUser',
  },
  ...Object.entries(fields).flatMap(([field, { good, bad }]) => [
    ...good.map((value) => created(field, value, 201)),
    ...bad.map((value) => created(field, value, 422)),
  ]),
  ...Object.entries(fields).flatMap(([field, { filters, refused }]) => [
    ...filters.map((filter) => listed(field + filter)),
    ...refused.map((filter) => listed(field + filter, 422)),
  ]),
  ...Object.keys(fields)
    .filter((field) => !['notes', 'photo', 'story_short'].includes(field))
    .flatMap((field) =>
      [field, `-${field}`].map((order): Turn => ({
        ...asSeen(field),
        says: `orders by ${order}`,
        send: `GET /api/v1/things/?order_by=${order},name&fields=name,${field}&limit=1000`,
        status: 200,
      })),
    ),
  listed('catalogue_number__gt=9', 200),
  listed('catalogue_number=9223372036854775807', 200),
  listed('catalogue_number=9223372036854775808', 422),
  listed('secret=x', 422),
  listed('fields=secret', 422),
  listed('keeper.pin=1', 422),
  { says: 'the default order', send: 'GET /api/v1/things/?limit=3&fields=name', status: 200 },
];

import type { DatabaseSync } from '../../templates/copy/sqlite-to-postgres/src/database/driver.ts';

/** Values that rows may hold and that are easily lost on the way. */
export const hostile = {
  text: `it's "quoted" \\ %s $1 \t\n\r 🙂 Ä \u00a0\u200b\u202e`,
  json: { b: [1, 2.5, -0, 1e300], a: { ключ: null, '': '\u0001"\\' }, __proto: true },
  bytes: Buffer.from([0, 255, 39, 92, 10]),
} as const;

export const moment = '2026-01-02T03:04:05.678Z';

export function uuid(number: number): string {
  return `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

/** Rows of the `every-type` project, with keys in circles; foreign keys are off. */
export function fillSource(source: DatabaseSync): void {
  for (const [table, values] of lines) {
    const columns = Object.keys(values).map((name) => `"${name}"`);
    const places = columns.map(() => '?');
    source
      .prepare(`INSERT INTO ${table} (${columns.join()}) VALUES (${places.join()})`)
      .run(...Object.values(values));
  }
}

type Line = readonly [table: string, values: Readonly<Record<string, unknown>>];

const stamps = { created_at: moment, updated_at: moment };
const person = { password: 'x', badge: 'AB-12', ...stamps };
const thing = {
  catalogued_on: '1970-01-01',
  arrived_at: moment,
  keeper_id: 1,
  hall_id: 1,
  ...stamps,
};

const people: readonly Line[] = [
  { id: 1, name: hostile.text, email: 'a@x', birthday: '0001-01-01', mentor_id: 2 },
  { id: 2, name: 'Ann', email: 'b@x', birthday: '9999-12-31', mentor_id: 1, motto: '' },
  { id: 3, name: '\u{1F600}'.repeat(200), email: 'c@x', birthday: '2024-02-29', mentor_id: 3 },
].map((values) => ['people', { ...person, ...values }]);

const extreme = {
  ...thing,
  id: uuid(1),
  name: 'One',
  story: '',
  catalogue_number: 9223372036854775807n,
  ticket: uuid(11),
  serial_no: 'aaa',
  value: -999_999_999_999n,
  share: 1,
  factor: 5e-324,
  weight: 1.7976931348623157e308,
  on_display: 1,
  fragile: 0,
  opens_at: '23:59:59.999',
  loan: uuid(7),
  photo: hostile.bytes,
  limit: 0,
  notes: JSON.stringify(hostile.json),
};

const plain = (number: number): Line => [
  'museum_exhibits',
  {
    ...thing,
    id: uuid(number),
    name: `Thing ${number}`,
    story: '\n',
    catalogue_number: number,
    ticket: uuid(10 + number),
    serial_no: `s-${number}`,
    factor: -0.5 * number,
    condition: 'broken',
    deleted_at: number === 3 ? moment : null,
  },
];

const session = {
  id: 's',
  user_id: 1,
  current_jti: 'j',
  current_iat: 1_767_323_045,
  created_at: moment,
  expires_at: moment,
};

const lines: readonly Line[] = [
  ...people,
  ['halls', { id: 1, title: 'West', ...stamps }],
  ['museum_exhibits', extreme],
  ...[2, 3, 4].map(plain),
  ['museum_exhibits_related', { exhibit_id: uuid(1), related_id: uuid(2) }],
  ['museum_exhibits_related', { exhibit_id: uuid(2), related_id: uuid(1) }],
  ['auth_sessions', session],
];

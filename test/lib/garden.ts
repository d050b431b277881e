/** A schema with a field of every type, rows and values that only some may see, and relations of every kind. */
export const gardenSchema = `
version: 1
app: { name: garden }
auth: { roles: [warden] }
enums:
  Shade: [sun, half, full]
models:
  User: { fields: {} }
  Bed:
    soft_delete: true
    fields:
      name: string(1..40)
      area: int?
    access: { read: authenticated }
  Label:
    fields:
      word: string(1..40)
    access: { read: public }
  Plant:
    owner: keeper
    fields:
      name: string(0..60)
      notes: text?
      contact: email?
      page: url?
      height: { type: int?, read: warden }
      seeds: bigint?
      weight: float?
      price: { type: 'decimal(8,3)?', read: [owner, warden] }
      rare: bool?
      sown_on: date?
      watered_at: time?
      seen_at: datetime?
      code: uuid?
      meta: json?
      leaf: bytes?
      shade: Shade?
      count: int = 0
    relations:
      keeper: { to: User, inverse: plants }
      bed: { to: Bed, optional: true, inverse: plants }
      labels: { to: Label, many: true, inverse: plants, read: authenticated }
    access: { read: public }
`;

export const users = ['Ann', 'Bob', 'Zoë'].map((name, index) => ({
  id: index + 1,
  name,
  email: `user-${index + 1}@example.test`,
}));

export const beds = [
  { id: 1, name: 'Rose bed', area: 12, deleted: false },
  { id: 2, name: 'Kitchen', area: null, deleted: false },
  { id: 3, name: 'Gone', area: 5, deleted: true },
] as const;

export const labels = ['edible', 'Edible', 'thorny', '100%_\\', 'ÉTÉ'].map((word, index) => ({
  id: index + 1,
  word,
}));

export interface Plant {
  readonly id: number;
  readonly keeper_id: number;
  readonly bed_id: number | null;
  readonly label_ids: readonly number[];
  readonly [field: string]: unknown;
}

/** Values that engines tend to disagree about; each plant gets one from each list, or none. */
const values = {
  name: [
    '',
    'Rose',
    'rose',
    'ROSE',
    'Élan',
    'élan',
    '100%',
    '100_',
    '\\',
    "O'Hara",
    '"',
    '😀',
    'ﬀ',
    'a,b',
    'Iİıi',
    'z\n',
  ],
  notes: [null, '', 'needs shade', 'NEEDS SHADE', '%', 'Straße', 'ΑΣ'],
  contact: [null, 'ann@example.test', 'bob@example.test'],
  page: [null, 'https://example.test/a', 'https://example.test/B'],
  height: [null, 0, -1, 7, 2147483647, -2147483648],
  seeds: [null, '0', '-9223372036854775808', '9223372036854775807', '9007199254740993', '12'],
  weight: [null, 0, 0.1, 0.30000000000000004, -1.5, 1e15, 1e-5, 1e300, 5e-324, 1e21, 123456.789],
  price: [null, '0.000', '-0.050', '9.950', '10.000', '99999.999', '-99999.999'],
  rare: [null, true, false],
  sown_on: [null, '0001-01-01', '2026-02-28', '9999-12-31'],
  watered_at: [null, '00:00:00.000', '09:30:00.000', '09:30:00.001', '23:59:59.999'],
  seen_at: [
    null,
    '0001-01-01T00:00:00.000Z',
    '2026-01-02T03:04:05.678Z',
    '9999-12-31T23:59:59.999Z',
  ],
  code: [null, '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
  meta: [null, { b: 1, aa: [1e-7, 1e21, '😀'], '': null }, [], 'text', 0, { é: { z: 1, y: true } }],
  leaf: [null, '', 'AA==', Buffer.alloc(120, 9).toString('base64')],
  shade: [null, 'sun', 'half', 'full'],
  count: [0, 1, 2],
} as const;

export const plants: readonly Plant[] = Array.from({ length: 60 }, (_, index) => ({
  id: index + 1,
  ...Object.fromEntries(
    Object.entries(values).map(([field, list], at) => [
      field,
      list[(index * (at + 1) + at) % list.length],
    ]),
  ),
  keeper_id: (index % 3) + 1,
  bed_id: [null, 1, 2, 3][index % 4] ?? null,
  label_ids: labels.map(({ id }) => id).filter((id) => (index + 1) % (id + 1) === 0),
}));

/** What columns of moments may be on PostgreSQL; the first one is that of new projects. */
export const momentColumns = [
  'timestamptz',
  'timestamp',
  'timestamptz(6)',
  'timestamp(6)',
] as const;

export type MomentColumn = (typeof momentColumns)[number];

const moments: Readonly<
  Record<MomentColumn, { readonly hasZone: boolean; readonly digits: 3 | 6 }>
> = {
  timestamptz: { hasZone: true, digits: 3 },
  timestamp: { hasZone: false, digits: 3 },
  'timestamptz(6)': { hasZone: true, digits: 6 },
  'timestamp(6)': { hasZone: false, digits: 6 },
};

const byName = new Map(Object.entries(moments));

/** What a column of moments keeps of them; undefined for another column. */
export const momentIn = (column = '') => byName.get(column);

const [, ...foundMoments] = momentColumns;

/** What another program may have made of a column: a moment of these, a counted id of 32 bits, a text in the order of the database. */
export const foundColumns = [...foundMoments, 'int', 'default'] as const;

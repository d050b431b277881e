/** Column types of moments on PostgreSQL; the first one is that of new projects. */
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

/** The precision of a column of moments; undefined for another column. */
export const findMomentColumn = (column = '') => byName.get(column);

const [, ...foundMoments] = momentColumns;

/** Column types of other programs: for moments, for counted ids of 32 bits, for texts in the order of the database. */
export const foundColumns = [...foundMoments, 'int', 'default'] as const;

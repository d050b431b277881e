/** Column types for times on PostgreSQL. New projects use the first one. */
export const momentColumns = [
  'timestamptz',
  'timestamp',
  'timestamptz(6)',
  'timestamp(6)',
] as const;

export type MomentColumn = (typeof momentColumns)[number];

const momentDetails: ReadonlyMap<string, { readonly hasZone: boolean; readonly digits: number }> =
  new Map(
    Object.entries({
      timestamptz: { hasZone: true, digits: 3 },
      timestamp: { hasZone: false, digits: 3 },
      'timestamptz(6)': { hasZone: true, digits: 6 },
      'timestamp(6)': { hasZone: false, digits: 6 },
    } satisfies Record<MomentColumn, object>),
  );

/** Undefined for a column that is not a time. */
export const findMomentColumn = (column = '') => momentDetails.get(column);

const [, ...foundMoments] = momentColumns;

/** Column types of existing databases: for times, for ids of 32 bits, and for texts in the order of the database. */
export const foundColumns = [...foundMoments, 'int', 'default'] as const;

interface Counts {
  /** In `npm test`. */
  readonly quick: number;
  /** In `npm run test:full`, which CI runs. */
  readonly full: number;
  /** Before a release, in `npm run test:deep`; `DEEP=0.1` takes a tenth, and never less than `full`. */
  readonly deep: number;
}

/** How many trials a test takes that draws at random, or that tries many moments. `RUNS=7` takes seven. */
export function trials({ quick, full, deep }: Counts): number {
  const given = process.env['RUNS'];
  if (given !== undefined) return Number(given);
  return isFull ? Math.max(full, Math.ceil(deep * depth)) : quick;
}

const depth = Number(process.env['DEEP'] || 0);
if (!(depth >= 0)) throw new Error('DEEP is a number, 1 before a release.');

/** Whether what takes minutes even once is to be run as well. */
export const isDeep = depth > 0;

/** Whether this is a run of everything. */
export const isFull = isDeep || process.env['FULL'] === '1';

/** Of mistakes of which each takes a start of a project to be seen, every sixth; before a release, all. */
export const sample = <Case>(all: readonly Case[]): readonly Case[] =>
  isDeep ? all : all.filter((_, at) => at % 6 === 0);

/**
 * Where a search for mistakes begins: `SEED`, or another one each time in a deep run. The other tiers repeat one search, so
 * that they say the same to everybody; what a new one finds once in ten thousand trials is not the fault of their change.
 */
export function searchSeed(): number {
  const another = isDeep ? Math.floor(Math.random() * 2 ** 31) : 20_261_120;
  return Number(process.env['SEED'] ?? another);
}

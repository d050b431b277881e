/**
 * How many trials a test takes that draws at random: `quick` in `npm test`, `deep` before a release
 * (`npm run test:deep`). `DEEP=0.1 npm run test:deep` takes a tenth of the latter, and never less than the former.
 */
export function trials({ quick, deep }: { readonly quick: number; readonly deep: number }): number {
  return Math.max(quick, Math.ceil(deep * depth));
}

const depth = Number(process.env['DEEP'] || 0);
if (!(depth >= 0)) throw new Error('DEEP is a number, 1 before a release.');

/** Whether what takes minutes even once is to be run as well. */
export const isDeep = depth > 0;

/**
 * Where a search for mistakes begins: `SEED`, or anew each time in a deep run. `npm test` repeats one search, so that
 * it says the same to everybody; what a new one finds once in ten thousand trials is not the fault of their change.
 */
export function searchSeed(): number {
  const anew = isDeep ? Math.floor(Math.random() * 2 ** 31) : 20_261_120;
  return Number(process.env['SEED'] ?? anew);
}

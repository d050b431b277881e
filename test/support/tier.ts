/** Of the file that is running; none where this is not a test. See `vitest.config.ts`. */
const tier = process.env['TIER'];

/** What takes long even once is done where everybody expects it. */
export function expectWorld(what: string): void {
  if (tier === 'unit' || tier === 'project')
    throw new Error(`A test that ${what} is of the world: call its file *.world.test.ts.`);
}

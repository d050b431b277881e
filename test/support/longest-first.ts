import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes many seconds comes first, so that no worker idles while the other ends a long file. */
const long = [
  'test/random.test.ts',
  'test/emitted.test.ts',
  'test/weeks.test.ts',
  'test/merge/properties.test.ts',
  'test/evolve/chains.test.ts',
  'test/regenerate/cases.test.ts',
  'test/emitted-migrations/postgres-locks.test.ts',
  'test/engines.test.ts',
  'test/project/faults.test.ts',
  'test/project/regenerate.test.ts',
  'test/determinism.test.ts',
  'test/evolve/branches.test.ts',
  'test/hostile.test.ts',
  'test/cli/terminal.test.ts',
  'test/cli/nobody.test.ts',
  'test/project/kill.test.ts',
  'test/cli/install.test.ts',
  'test/evolve/conversions.test.ts',
  'test/evolve/random.test.ts',
  'test/cli/new.test.ts',
  'test/emitted-migrations/postgres-chains.test.ts',
  'test/render/format.test.ts',
  'test/cli/cancel.test.ts',
  'test/cli/check-database.test.ts',
  'test/regenerate/properties.test.ts',
  'test/cli/start-for-real.test.ts',
  'test/semantic/semantic.test.ts',
];

/** The runner's own order, by size and by what it remembers of the last run, is kept for the rest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line no-array-sort -- the runner's, which answers with a list of its own
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => rank(left) - rank(right));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = long.findIndex((path) => moduleId.endsWith(path));
  return place < 0 ? long.length : place;
}

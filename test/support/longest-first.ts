import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes half a minute or more comes first, so that no worker idles while the other ends a long file. */
const long = [
  'test/emitted.test.ts',
  'test/random.test.ts',
  'test/weeks.test.ts',
  'test/merge/properties.test.ts',
  'test/semantic/semantic.test.ts',
  'test/regenerate/cases.test.ts',
  'test/evolve/chains.test.ts',
  'test/project/kill.test.ts',
  'test/engines.test.ts',
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

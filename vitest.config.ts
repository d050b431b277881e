import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/** Two at a time: the tests of the whole start compilers and servers of their own. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/postgres-server.ts',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // A module comes as Node gives it: behind the runner's proxy each use of the compiler's tables is dear.
    deps: { interopDefault: false },
    testTimeout: 30_000,
    hookTimeout: 300_000,
  },
});

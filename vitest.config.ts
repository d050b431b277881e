import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { isDeep } from './test/support/trials.ts';

/** Of a test, in milliseconds: it ends what hangs, on the slowest machine too. What `DEEP` asks for may take hours. */
const limit = isDeep ? 0 : 900_000;

/** Two at a time: the tests of the whole start compilers and servers of their own. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // A module comes as Node gives it: behind the runner's proxy each use of the compiler's tables is dear.
    deps: { interopDefault: false },
    // `localhost` may be two addresses: on a busy machine the first gets more than Node's 250 ms to answer.
    execArgv: ['--network-family-autoselection-attempt-timeout=30000'],
    testTimeout: limit,
    hookTimeout: limit,
    teardownTimeout: 60_000,
  },
});

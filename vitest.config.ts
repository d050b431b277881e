import { defineConfig } from 'vitest/config';

/** Two at a time: the tests of the whole start compilers and servers of their own. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/postgres-server.ts',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 300_000,
  },
});

import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isDeep, isFull } from './test/support/trials.ts';

/** Folders of `src` that work in memory only. */
const pure = ['schema', 'model', 'naming', 'render', 'merge'];

/** The tier of a test file follows from the end of its name, or else from its folder. */
const named = (name: string) => `test/**/*.${name}.test.ts`;
const unit = pure.map((folder) => `test/${folder}/**/+([^.]).test.ts`);
const blog = 'test/blog.test.ts';

const tiers = [
  // Pure: no process, no port, no file that is written.
  tier('unit', {
    include: unit,
    setupFiles: 'test/support/stay-in-unit.ts',
    isolate: false,
  }),
  // Folders, databases and our own program as a process. Nothing is installed, and no emitted project is started.
  tier('project', {
    include: ['test/**/*.test.ts'],
    exclude: [...unit, named('world'), blog],
    isolate: false,
  }),
  // The part of the world that `npm test` runs, too.
  tier('blog', { include: [blog] }),
  // Emitted projects as their owners have them: installed, started, tested, opened in a browser.
  tier('world', { include: [named('world')] }),
];

type Options = TestProjectInlineConfiguration['test'];

function tier(name: string, options: Options): TestProjectInlineConfiguration {
  // For each test, in milliseconds: long enough for the slowest machine, so only what hangs is ended. `DEEP` may take hours.
  const limit = isDeep ? 0 : 900_000;
  return {
    test: {
      name,
      env: { TIER: name },
      // Loads modules as Node does: the runner's proxy would slow down every use of the compiler.
      deps: { interopDefault: false },
      execArgv: [
        // `localhost` may be two addresses. On a busy machine, the first may need more than Node's 250 ms to answer.
        '--network-family-autoselection-attempt-timeout=30000',
        // Room for short-lived objects: with Node's 16 MB, a tenth of the time goes to collecting them.
        '--max-semi-space-size=64',
      ],
      testTimeout: limit,
      hookTimeout: limit,
      // A busy machine takes its time.
      expect: { poll: { timeout: 60_000 } },
      ...options,
    },
  };
}

/** Vitest starts with the largest files. These are short and take longest, so they would run last, alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of vitest's
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => Number(isLong(right)) - Number(isLong(left)));
  }
}

const isLong = ({ moduleId }: TestSpecification) =>
  /\/test\/(access\/.*|docs\.)world\./.test(moduleId);

/**
 * Two at a time: the tests of the whole start compilers and servers of their own. Three in a full run, where a third of
 * the time is spent waiting: for locks and limits, for a database that is stopped.
 */
export default defineConfig({
  test: {
    projects: tiers,
    globalSetup: 'test/support/global-setup.ts',
    maxWorkers: isFull ? 3 : 2,
    teardownTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
  },
});

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { copiedApp } from '../support/built-app.ts';
import { runTests } from '../support/run-tests.ts';
import { say } from '../support/say.ts';
import { isDeep, sample } from '../support/trials.ts';
import { plantedFaults } from './planted-faults.ts';

/** The part of vitest's JSON report that is read here. */
interface Report {
  readonly numFailedTests: number;
  readonly numPassedTests: number;
  readonly testResults: readonly { readonly name: string; readonly message: string }[];
}

const engines = ['sqlite', 'postgres'] as const;

/** Each on one of the engines, in turn; before a release, on both. */
const taken = sample(plantedFaults);

/** Without a fault they pass: `test/blog.test.ts`. */
describe.each(engines)('the own tests of the golden blog on %s', (engine) => {
  const possible = plantedFaults.filter((fault) => (fault.engine ?? engine) === engine);
  const faults = taken.filter((fault, at) =>
    isDeep ? possible.includes(fault) : (fault.engine ?? engines[at % 2]) === engine,
  );
  let folder = '';
  let environment = {};

  beforeAll(async () => {
    say(`planting ${faults.length} faults in the blog on ${engine}`);
    const app = await copiedApp('blog', engine);
    folder = app.folder;
    if (engine === 'postgres') environment = { TEST_DATABASE_URL: app.env['DATABASE_URL'] };
  });

  test.each(faults)('catch that $name', async ({ file: path, find, replace, seenBy }) => {
    const whole = await readFile(join(folder, path), 'utf8');
    await writeFile(
      join(folder, path),
      whole.replace(find, () => replace),
    );
    const { numFailedTests, testResults } = await report(seenBy);
    await writeFile(join(folder, path), whole);
    // A file that does not even load has a message of its own, and catches nothing.
    expect(testResults.map(({ message }) => message)).toEqual(seenBy.map(() => ''));
    expect(numFailedTests).toBeGreaterThan(0);
  });

  async function report(files: readonly string[]): Promise<Report> {
    const { stdout, stderr } = await runTests(folder, environment, '--reporter=json', ...files);
    const start = stdout.indexOf('{"num');
    if (start === -1) throw new Error(`${stdout}\n${stderr}`);
    const read: Report = JSON.parse(stdout.slice(start));
    return read;
  }
});

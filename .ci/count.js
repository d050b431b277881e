// Sums up what vitest's JSON reporter has written, as one line.
import { readFileSync } from 'node:fs';

const count = { passed: 0, failed: 0 };
for (const file of process.argv.slice(2)) {
  const { numPassedTests, numFailedTests, testResults } = read(file);
  // A file that cannot be loaded has no tests that could fail.
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((it) => it.status === 'failed'),
  );
  count.passed += numPassedTests;
  count.failed += numFailedTests + broken.length;
}
process.stdout.write(`${count.passed} passed, ${count.failed} failed\n`);
process.exitCode = count.failed > 0 ? 1 : 0;

/** A run that wrote nothing has failed as a whole. */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    process.stderr.write(`${file}: ${error.message}\n`);
    return { numPassedTests: 0, numFailedTests: 1, testResults: [] };
  }
}

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatProblems, type Problem } from '../src/schema/problem.ts';
import { parseSchema } from '../src/schema/parse.ts';

const folder = new URL('../fixtures/problems/', import.meta.url).pathname;

export interface ProblemFixture {
  readonly name: string;
  readonly text: string;
  readonly problems: readonly Problem[];
  /** What is printed now, and what the fixture says should be. */
  readonly printed: string;
  readonly expected: string;
}

export const problemFixtures: readonly string[] = readdirSync(folder).toSorted();

/** Checks the wrong file of a case. */
export function runProblemFixture(name: string): ProblemFixture {
  const file = existsSync(join(folder, name, 'schema.json')) ? 'schema.json' : 'schema.yaml';
  const text = readFileSync(join(folder, name, file), 'utf8');
  const { problems } = parseSchema(text);
  const printed = formatProblems(problems, { text, file });
  const pinned = join(folder, name, 'stderr.txt');
  return {
    name,
    text,
    problems,
    printed,
    expected: existsSync(pinned) ? readFileSync(pinned, 'utf8') : '',
  };
}

/** Pins what is printed now. Read the difference before you commit it. */
export function writeProblemFixtures(): void {
  for (const name of problemFixtures) {
    writeFileSync(join(folder, name, 'stderr.txt'), runProblemFixture(name).printed);
  }
}

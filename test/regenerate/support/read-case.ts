import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from '../../support/root.ts';
import { operations, type Operation } from './operations.ts';

const home = join(root, 'fixtures/regenerate');

export const caseNames: readonly string[] = readdirSync(home).toSorted();

/** One run of the command, and what was done to the project before it. */
export interface CaseRun extends z.infer<typeof runShape> {
  /** The text of `schema.yaml`. */
  readonly schema: string;
}

export interface Case {
  readonly name: string;
  readonly folder: string;
  readonly before: string;
  /** What the version of the generator that made the project did differently. */
  readonly older: readonly Operation[];
  readonly edits: readonly Operation[];
  readonly runs: readonly CaseRun[];
}

const runShape = z.strictObject({
  /** What is done to the project between two runs. */
  edits: operations.default([]),
  rename: z.array(z.string()).exactOptional(),
  accept: z.array(z.string()).exactOptional(),
  restore: z.array(z.string()).exactOptional(),
  name: z.string().exactOptional(),
  onConflict: z.enum(['markers', 'ours', 'theirs', 'fail']).exactOptional(),
  undo: z.boolean().exactOptional(),
});

/** `after.yaml` goes with the first run, `after-2.yaml` with the second, where it is another. */
export function readCase(name: string): Case {
  const folder = join(home, name);
  const read = (file: string) =>
    existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : undefined;
  const list = (file: string) => operations.parse(parse(read(file) ?? '[]'));
  const runs = z.array(runShape).parse(parse(read('runs.yaml') ?? '[{}]'));
  let schema = read('after.yaml') ?? '';
  return {
    name,
    folder,
    before: read('before.yaml') ?? '',
    older: list('older.yaml'),
    edits: list('edits.yaml'),
    runs: runs.map((run, index) => {
      schema = read(`after-${index + 1}.yaml`) ?? schema;
      return { ...run, schema };
    }),
  };
}

import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from './durable.ts';
import { parseJson } from '../parse-json.ts';
import { isSafePath } from '../safe-path.ts';

/** What a run is about to do to the files, written down before it does anything. */
export interface Journal {
  readonly version: 1;
  /** Whether the run can be taken back once it is done. */
  readonly undoable: boolean;
  readonly entries: readonly Entry[];
}

/** The texts are in `new/` and `old/`, under the entry's number. */
export interface Entry {
  readonly path: string;
  /** Hashes of the exact bytes; null: no file. */
  readonly before: string | null;
  readonly after: string | null;
}

/** The journal appears as a whole: whatever it speaks of is on the disk by then. */
export async function writeJournal(home: string, journal: Journal): Promise<void> {
  const file = join(home, 'journal.json');
  await fs.rm(`${file}.tmp`, { force: true });
  await writeDurably(`${file}.tmp`, `${JSON.stringify(journal, null, 2)}\n`);
  await fs.rename(`${file}.tmp`, file);
}

/** Undefined when there is none, or none that can be trusted: then nothing was done by it. */
export async function readJournal(home: string): Promise<Journal | undefined> {
  const file = join(home, 'journal.json');
  if (!existsSync(file)) return undefined;
  return shape.safeParse(parseJson(await fs.readFile(file, 'utf8'))).data;
}

const hash = z.string().nullable();

const shape = z.strictObject({
  version: z.literal(1),
  undoable: z.boolean(),
  entries: z.array(
    z.strictObject({ path: z.string().refine(isSafePath), before: hash, after: hash }),
  ),
});

import { digest } from '../../digest.ts';
import { present } from '../../present.ts';
import { parseJson } from '../../json.ts';
import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isSafePath } from '../paths.ts';
import type { Plan, Write } from '../plan.ts';
import { writeDurably } from './durable.ts';

/** What a run is about to do, written before it changes any file. */
export type Journal = Readonly<z.infer<typeof journalShape>>;

/** Its texts are in `new/` and `old/`, under the number of the entry. */
export type JournalEntry = Readonly<z.infer<typeof journalEntry>>;

/** A hash of the exact bytes; null if there is no file. */
const nullableHash = z.string().nullable();

export const hashOrNull = (text: string | undefined) => (text === undefined ? null : digest(text));

const journalEntry = z.strictObject({
  path: z.string().refine(isSafePath),
  before: nullableHash,
  after: nullableHash,
});

const journalShape = z.strictObject({
  version: z.literal(1),
  /** Whether the run can be undone afterwards. */
  undoable: z.boolean(),
  entries: z.array(journalEntry).readonly(),
});

/** Writes the journal in one step, after everything that it refers to is on the disk. */
export async function writeJournal(home: string, journal: Journal): Promise<void> {
  const file = join(home, 'journal.json');
  await fs.rm(`${file}.tmp`, { force: true });
  await writeDurably(`${file}.tmp`, `${JSON.stringify(journal, null, 2)}\n`);
  await fs.rename(`${file}.tmp`, file);
}

/** Undefined if there is none or it is incomplete. In both cases, no file was changed. */
export async function readJournal(home: string): Promise<Journal | undefined> {
  const file = join(home, 'journal.json');
  if (!existsSync(file)) return undefined;
  return journalShape.safeParse(parseJson(await fs.readFile(file, 'utf8'))).data;
}

/** What a plan writes, in order. The record comes last. */
export function listWrites({ changes, recordWrites }: Plan): readonly Write[] {
  const before = new Map(
    changes.flatMap((it) => (it.before === undefined ? [] : [[it.from ?? it.path, it.before]])),
  );
  const written = changes.flatMap((it): readonly Write[] => {
    const { path, after, mode, like = it.from } = it;
    if (after === undefined) return [];
    return [{ path, after, mode, ...present({ before: before.get(path), like }) }];
  });
  const taken = new Set(written.map(({ path }) => path));
  const gone = [...before].flatMap(([path, text]): readonly Write[] =>
    taken.has(path) ? [] : [{ path, before: text }],
  );
  // On a case-insensitive disk, `Post.ts` has to be removed before `post.ts` is written.
  const folded = new Set([...taken].map((path) => path.toLowerCase()));
  const isSameFile = ({ path }: Write) => folded.has(path.toLowerCase());
  return [
    ...gone.filter(isSameFile),
    ...written,
    ...gone.filter((it) => !isSameFile(it)),
    ...recordWrites,
  ];
}

import { type Disk, readPlain } from '../disk.ts';
import { printOpenConflicts } from '../open-conflicts.ts';
import {
  basePath,
  isSchemaFile,
  nextBasePath,
  conflictsPath,
  recordPath,
  snapshotPath,
} from '../paths.ts';
import type { Write } from '../plan.ts';
import { printRecord, type Record } from '../record.ts';
import type { FileOutcome } from './outcome.ts';

interface Books {
  readonly former: Record;
  readonly record: Record;
  readonly outcomes: readonly FileOutcome[];
  /** Of files that the owner has moved, and of those that import them. */
  readonly bases: ReadonlyMap<string, string | undefined>;
  /** Text of `.scaffold/schema.json`; absent: as it is. */
  readonly snapshot?: string;
  /** The base that each file in conflict gets when it is settled, by path. */
  readonly next: ReadonlyMap<string, string>;
  /** The tool's own files that are no bases. */
  readonly own: readonly { readonly path: string; readonly content: string }[];
}

/** What is written below `.scaffold/`, as far as it differs from what is there; the record comes last. */
export function keepBooks(books: Books, disk: Disk): readonly Write[] {
  const open = books.outcomes.flatMap((outcome) => outcome.open ?? []);
  const texts = new Map<string, string | undefined>([
    ...[...books.bases].map(([path, base]) => [basePath(path), base] as const),
    ...droppedBases(books),
    ...books.outcomes.flatMap(({ path, base }) =>
      base === undefined ? [] : [[basePath(path), base] as const],
    ),
    ...open
      .filter(({ kind }) => kind !== 'gone')
      .map(({ path }) => [nextBasePath(path), books.next.get(path)] as const),
    ...books.own.map(({ path, content }) => [path, content] as const),
    [conflictsPath, printOpenConflicts(open)],
    ...(books.snapshot === undefined ? [] : [[snapshotPath, books.snapshot] as const]),
    [recordPath, printRecord(books.record)],
  ]);
  return writesFor(texts, disk);
}

/** What differs from the disk. */
export function writesFor(
  texts: ReadonlyMap<string, string | undefined>,
  disk: Disk,
): readonly Write[] {
  return [...texts].flatMap(([path, after]): readonly Write[] => {
    const found = readPlain(disk, path);
    if (found?.text === after) return [];
    return [{ path, ...(found && { before: found.text }), ...(after !== undefined && { after }) }];
  });
}

/** Bases of files that are not recorded any more; those that stand elsewhere now among them. */
function droppedBases({ former, record }: Books) {
  return Object.keys(former.files)
    .filter((path) => isSchemaFile(path) || !(path in record.files))
    .map((path) => [basePath(path), undefined] as const);
}

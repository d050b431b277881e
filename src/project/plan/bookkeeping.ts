import { present } from '../../present.ts';
import { type Disk, readOrRefuse, type Texts } from '../disk.ts';
import { type ConflictedFile, printOpenConflicts } from '../open-conflicts.ts';
import { basePath, isSchemaFile, conflictsPath, recordPath } from '../paths.ts';
import type { Write } from '../plan.ts';
import { printRecord, type ProjectRecord } from '../record.ts';
import type { FileOutcome } from './outcome.ts';

/** Changes below `.scaffold/`; the record comes last. */
export function keepBooks(
  books: {
    readonly former: ProjectRecord;
    readonly record: Omit<ProjectRecord, 'files'>;
    /** The outcomes of all files. */
    readonly outcomes: readonly FileOutcome[];
    readonly open: readonly ConflictedFile[];
    readonly others: Texts;
  },
  disk: Disk,
): readonly Write[] {
  const { former, record, outcomes, open, others } = books;
  const files = Object.fromEntries(
    outcomes.flatMap(({ path, recorded }) => (recorded ? [[path, recorded]] : [])),
  );
  // Includes bases whose files have moved.
  const dropped = Object.keys(former.files).filter(
    (path) => isSchemaFile(path) || !(path in files),
  );
  const texts: Texts = new Map([
    ...others,
    ...dropped.map((path) => [basePath(path), undefined] as const),
    ...outcomes.flatMap(({ path, base }) =>
      base === undefined ? [] : [[basePath(path), base] as const],
    ),
    [conflictsPath, printOpenConflicts(open)],
    [recordPath, printRecord({ ...record, files })],
  ]);
  return [...texts].flatMap(([path, after]): readonly Write[] => {
    const before = readOrRefuse(disk, path)?.text;
    return before === after ? [] : [{ path, ...present({ before, after }) }];
  });
}

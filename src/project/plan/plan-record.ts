import { present } from '../../present.ts';
import { type Disk, readOrRefuse, type Texts } from '../disk.ts';
import { type ConflictedFile, printOpenConflicts } from '../open-conflicts.ts';
import { basePath, isSchemaFile, conflictsPath, recordPath } from '../paths.ts';
import type { Write } from '../plan.ts';
import { printRecord, type ProjectRecord } from '../record.ts';
import type { FileOutcome } from './outcome.ts';

/** What to write below `.scaffold/`. The record comes last. */
export function planRecordWrites(
  next: {
    readonly former: ProjectRecord;
    readonly record: Omit<ProjectRecord, 'files'>;
    readonly outcomes: readonly FileOutcome[];
    readonly open: readonly ConflictedFile[];
    /** Other files, by path; undefined removes one. */
    readonly others: Texts;
  },
  disk: Disk,
): readonly Write[] {
  const { former, record, outcomes, open, others } = next;
  const files = Object.fromEntries(
    outcomes.flatMap(({ path, recorded }) => (recorded ? [[path, recorded]] : [])),
  );
  // A file that moved leaves its old base behind.
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

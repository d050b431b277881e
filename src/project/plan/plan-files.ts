import { digestTemplates } from '../../render/template-files.ts';
import { keepBooks } from './bookkeeping.ts';
import { decideFiles } from './decide-files.ts';
import { openDisk } from '../disk.ts';
import { tellMoved } from '../moved/tell-moved.ts';
import type { Fate } from './fate.ts';
import { importAsProject } from './import-as-project.ts';
import type { NextFiles } from './next-files.ts';
import type { Plan } from '../plan.ts';
import type { Project } from '../read-project.ts';
import { printSnapshot, type Record, recordRun } from '../record.ts';
import { refuseBlocked, refuseMarked } from './refuse-blocked.ts';
import { relocateImports } from './relocate-imports.ts';

/** Reads the project's files and decides what is written; throws a `UserError` when one of them cannot be. */
export async function planFiles(project: Project, next: NextFiles): Promise<Plan> {
  const disk = openDisk(project.folder);
  const { fates: decided, settings } = await decideFiles(project, next, disk);
  refuseMarked(decided);
  const fates = tellMoved(decided, project, disk);
  const wanted = [...fates.flatMap(({ change }) => change ?? []), ...settings];
  const sorted = wanted.toSorted((left, right) => (left.path < right.path ? -1 : 1));
  const made = new Map(next.rendered.map(({ path, content }) => [path, content]));
  const relocated = relocateImports(sorted, disk);
  const changes = importAsProject(relocated, { folder: project.folder, disk, made });
  refuseBlocked(changes, disk);
  const books = {
    former: project.record,
    record: nextRecord(project, next, fates),
    fates,
    bases: project.bases ?? new Map(),
    next: made,
    own: next.rendered.filter(({ path }) => path.startsWith('.scaffold/')),
    ...(next.only.length === 0 && { snapshot: printSnapshot(next.app) }),
  };
  return {
    changes,
    kept: count(fates, 'kept'),
    unchanged: count(fates, 'unchanged'),
    deleted: count(fates, 'deleted'),
    left: count(fates, 'left'),
    bookkeeping: keepBooks(books, disk),
  };
}

function count(fates: readonly Fate[], wanted: Fate['standing']): number {
  return fates.filter(({ standing }) => standing === wanted).length;
}

/** A run for a part of the files leaves the schema where it was, for a later run to see. */
function nextRecord(project: Project, next: NextFiles, fates: readonly Fate[]): Record {
  const files = fates.flatMap(({ path, recorded }) =>
    recorded ? [[path, recorded] as const] : [],
  );
  const { app, schemaText } = next;
  const record = recordRun({ app, files, templates: digestTemplates(), schemaText });
  if (next.only.length === 0) return record;
  const { files: _, ...former } = project.record;
  return { ...record, ...former };
}

import { digestTemplates } from '../render/template-files.ts';
import { version } from '../version.ts';
import { hashText } from './base.ts';

import { isInterrupted } from './find-project.ts';
import { hasForeignMigrations } from './migration-folders.ts';
import { nextApp } from './plan/next-app.ts';
import type { Project } from './read-project.ts';
import { printSnapshot, type Record } from './record.ts';
import type { RunOptions } from './run-options.ts';

/** Whether a run would find nothing to do. Quick: renders and merges nothing, and looks at no file of the user's. */
export function isUpToDate(project: Project, options: RunOptions): boolean {
  const { folder, record, openConflicts } = project;
  return (
    options.restore.length === 0 &&
    openConflicts.length === 0 &&
    isOfThisVersion(folder, record) &&
    record.schema === hashText(printSnapshot(nextApp(project, options)))
  );
}

/** Nothing is left half done, no other branch has brought migrations, and the templates are the same. */
function isOfThisVersion(folder: string, record: Record): boolean {
  return (
    !isInterrupted(folder) &&
    !hasForeignMigrations(folder, Object.keys(record.files)) &&
    record.generator.version === version &&
    record.templates === digestTemplates()
  );
}

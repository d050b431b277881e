import { digestTemplates } from '../render/template-files.ts';
import { version } from '../version.ts';
import { hashText } from './base.ts';
import { hasForeignMigrations } from './history.ts';
import { isInterrupted } from './journal.ts';
import { nextApp } from './next-app.ts';
import type { Project } from './read-project.ts';
import { printSnapshot } from './record.ts';
import type { Wish } from './wish.ts';

/** Whether a run would find nothing to do. Quick: renders and merges nothing, and looks at no file of the user's. */
export function isUpToDate(project: Project, wish: Wish): boolean {
  const { folder, record, openConflicts } = project;
  return (
    wish.restore.length === 0 &&
    openConflicts.length === 0 &&
    !isInterrupted(folder) &&
    !hasForeignMigrations(folder, record) &&
    record.generator.version === version &&
    record.templates === digestTemplates() &&
    record.schema === hashText(printSnapshot(nextApp(project, wish)))
  );
}

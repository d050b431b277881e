import { exitCode, UserError } from '../../errors.ts';
import type { App } from '../../model/app.ts';
import { buildApp } from '../../model/build.ts';
import { carryIds } from '../../model/carry.ts';
import { renameFlaw } from '../../model/rename.ts';
import { digestTemplates } from '../../render/template-files.ts';
import { version } from '../../version.ts';
import { hashText, isInterrupted } from '../paths.ts';
import type { RunOptions } from '../plan.ts';
import type { Project } from '../read-project.ts';
import { printSnapshot } from '../record.ts';
import { hasForeignMigrations } from '../untouched.ts';

/** The app of the edited schema, with the ids of the one before. */
export function nextApp(project: Project, options: RunOptions): App {
  return carryIds(project.app, buildNext(project, options), options.renames);
}

/** The app of the edited schema by itself; throws (SCF001) for a rename that cannot be. */
export function buildNext({ app }: Project, { schema, renames }: RunOptions): App {
  const built = buildApp(schema);
  for (const rename of renames) {
    const flaw = renameFlaw(rename, app, built);
    if (flaw === undefined) continue;
    const owner = rename.owner === undefined ? '' : `${rename.owner}.`;
    throw new UserError('SCF001', `\`--rename ${owner}${rename.from}=${rename.to}\`: ${flaw}`, {
      exit: exitCode.usage,
      help: 'Write `--rename Old=New`, or `--rename Model.old=new`.',
    });
  }
  return built;
}

/** Whether a run would find nothing to do. Quick: renders and merges nothing, and looks at no file of the user's. */
export function isUpToDate(project: Project, options: RunOptions): boolean {
  const { folder, record, openConflicts } = project;
  return (
    options.restore.length === 0 &&
    openConflicts.length === 0 &&
    !isInterrupted(folder) &&
    !hasForeignMigrations(folder, Object.keys(record.files)) &&
    record.generator.version === version &&
    record.templates === digestTemplates() &&
    record.schema === hashText(printSnapshot(nextApp(project, options)))
  );
}

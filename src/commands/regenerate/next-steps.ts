import { isAbsolute, relative, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { migrationAt } from '../../project/paths.ts';
import type { FileChange } from '../../project/plan.ts';
import {
  choosePackageManager,
  readManifest,
  scriptCommand,
  scriptOf,
} from '../../system/package-manager.ts';
import type { Session, Step } from '../../terminal/report.ts';
import { displayPath } from '../display-path.ts';
import { printCommand } from './command-text.ts';
import type { Run } from './request.ts';
import type { RunResult } from './finish-and-check.ts';
import { quoteForShell } from '../../words.ts';

/** The codemod only helps if the schema renamed something. */
export function listCodemodSteps({ request }: Run, { regeneration, semantic }: RunResult): Step[] {
  const { misfits, uses, mentions } = semantic;
  const isRenamed =
    regeneration.plan.changes.some(({ from }) => from !== undefined) ||
    misfits.some(({ renamed }) => renamed) ||
    [...uses, ...mentions].length > 0;
  if (!isRenamed || regeneration.spellings.size === 0 || request.codemod) return [];
  return [
    { command: printCommand({ dir: request.dir }, ['--undo']), note: 'undoes this run' },
    {
      command: printCommand(request, ['--codemod']),
      note: 'then runs it again and renames in your code',
    },
  ];
}

export function listStepsInProject(session: Session, { folder }: Run, result: RunResult): Step[] {
  const { newMigration, plan, app } = result.regeneration;
  const isMoved = app.database !== result.project.app.database;
  const manager = choosePackageManager(folder);
  const script = (name: string, note: string) => ({ command: scriptCommand(manager, name), note });
  const known = [
    [plan.changes.some(hasOtherDependencies), { command: `${manager} install`, note: '' }],
    [
      newMigration || plan.changes.some(isMadeAgain),
      script('db:migrate', 'applies it; starting the server does, too'),
    ],
    [isMoved, script('db:copy', 'carries the rows over')],
    [result.isUnformatted, formatStep(folder)],
  ] as const;
  const steps = known.flatMap(([isDue, step]) => (isDue ? [step] : []));
  if (steps.length === 0 || isInside(session.folder, folder)) return steps;
  return [{ command: `cd ${quoteForShell(displayPath(session, folder))}`, note: '' }, ...steps];
}

/** Whether a folder is the project or inside it, where its scripts run without `cd`. */
export function isInside(folder: string, project: string): boolean {
  const path = relative(project, folder);
  return !isAbsolute(path) && path.split(sep)[0] !== '..';
}

export function formatStep(folder: string): Step {
  const command = scriptOf(folder, 'format');
  return { command, note: 'formats the new code' };
}

function hasOtherDependencies({ path, before, after }: FileChange): boolean {
  const [was, is] = [readManifest(before).packages, readManifest(after).packages];
  return path === 'package.json' && !isDeepStrictEqual(was, is);
}

function isMadeAgain({ path, action }: FileChange): boolean {
  return action === 'update' && migrationAt(path) !== undefined;
}

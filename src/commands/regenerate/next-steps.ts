import { shell } from '../../render/helpers.ts';
import type { Change } from '../../project/plan.ts';
import { findPackageManager, scriptCommand } from '../../system/package-manager.ts';
import type { Session } from '../../terminal/report.ts';
import { displayPath } from '../display-path.ts';
import type { Step } from '../new/next-steps.ts';
import { commandText } from './command-text.ts';
import type { Outcome } from './outcome.ts';
import type { Run } from './request.ts';

interface Open {
  readonly conflicts: number;
  readonly uses: number;
}

/** What is to be done after a run, in an order in which it works. */
export function stepsAfter(session: Session, run: Run, outcome: Outcome, open: Open): Step[] {
  const place = displayPath(session, run.folder);
  const inside = [...stepsInside(run, outcome), ...formatSteps(run, outcome)];
  return [
    ...(open.conflicts > 0 ? [resolveStep(place)] : []),
    ...(open.uses > 0 ? codemodSteps(run, outcome) : []),
    ...(inside.length > 0 && !isAround.test(place)
      ? [{ command: `cd ${shell(place)}`, note: '' }]
      : []),
    ...inside,
  ];
}

/** Scripts of a project run in every folder of it. */
const isAround = /^(?:\.|(?:\.\.\/)*\.\.)$/;

function resolveStep(place: string): Step {
  const command = `scaffold resolve${place === '.' ? '' : ` ${shell(place)}`}`;
  return { command, note: 'lists them; --ours, --theirs or --edited settles' };
}

/** Only what the schema renamed has another name to go by. */
function codemodSteps({ request }: Run, { regeneration, semantic }: Outcome): Step[] {
  const { conflicts, uses = [], mentions } = semantic;
  const isRenamed =
    regeneration.plan.changes.some(({ from }) => from !== undefined) ||
    conflicts.some(({ renamed }) => renamed) ||
    [...uses, ...mentions].length > 0;
  if (!isRenamed || regeneration.spellings.size === 0 || request.codemod) return [];
  return [
    { command: commandText({ dir: request.dir }, ['--undo']), note: 'take this back, and' },
    { command: commandText(request, ['--codemod']), note: 'rename your uses with it' },
  ];
}

function stepsInside({ folder }: Run, { regeneration }: Outcome): Step[] {
  const manager = findPackageManager(folder, process.env);
  const { migration, plan } = regeneration;
  return [
    ...(plan.changes.some(hasOtherDependencies)
      ? [{ command: `${manager} install`, note: '' }]
      : []),
    ...(migration || plan.changes.some(isMadeAgain)
      ? [{ command: scriptCommand(manager, 'db:migrate'), note: 'or start the server' }]
      : []),
    ...(plan.changes.some(bringsCopy)
      ? [{ command: scriptCommand(manager, 'db:copy'), note: 'carries the rows over' }]
      : []),
  ];
}

function formatSteps({ folder }: Run, { isUnformatted }: Outcome): Step[] {
  if (!isUnformatted) return [];
  const manager = findPackageManager(folder, process.env);
  return [{ command: scriptCommand(manager, 'format'), note: 'gives your layout to what is new' }];
}

function hasOtherDependencies({ path, before = '{}', after = '{}' }: Change): boolean {
  return path === 'package.json' && dependenciesIn(before) !== dependenciesIn(after);
}

function isMadeAgain({ path, action }: Change): boolean {
  return action === 'update' && /^migrations\/.+\/up\.sql$/.test(path);
}

/** The project has another engine now. */
function bringsCopy({ path, before = '', after = '' }: Change): boolean {
  return path === 'package.json' && after.includes('"db:copy"') && !before.includes('"db:copy"');
}

/** A text with conflicts in it has none that can be installed. */
function dependenciesIn(text: string): string {
  try {
    const { dependencies, optionalDependencies, devDependencies } = JSON.parse(text);
    return JSON.stringify([dependencies, optionalDependencies, devDependencies]);
  } catch {
    return '';
  }
}

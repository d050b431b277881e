import { exitCode, UserError } from '../errors.ts';
import { type Ambiguity, findAmbiguities } from '../evolve/changes/candidates.ts';
import type { Hazard } from '../evolve/hazards/hazard.ts';
import type { Evolved } from '../evolve/migrate.ts';
import type { Warning } from '../evolve/warning.ts';
import type { App } from '../model/app.ts';
import type { RenderedFile } from '../render/rendered-file.ts';
import { findElements } from './plan/elements.ts';
import { openDisk } from './disk.ts';
import { findGone, followRenamed } from './gone/gone.ts';
import { formerBases } from './plan/former-bases.ts';
import { readHistory } from './history.ts';
import { deletionKey, type Doubt } from './moved/doubt.ts';
import { followMoved } from './moved/follow-moved.ts';
import { placeRendered } from './moved/place-rendered.ts';
import { emptyPlan, type Plan } from './plan.ts';
import { matchesAny } from './plan/glob.ts';
import { meetRecord } from './plan/meet.ts';
import { spellingsFor } from './plan/merge-file.ts';
import { planFiles } from './plan/plan-files.ts';
import type { Project } from './read-project.ts';
import { renderProject } from './render-project.ts';
import { findSchemaStep } from './plan/schema-step.ts';
import { findRenamed, type Renamed, type Spellings, withCompounds } from './plan/spellings.ts';
import type { RunOptions } from './run-options.ts';

/** What a run would do, computed as a whole before anything is written. */
export interface Regeneration {
  readonly app: App;
  readonly rendered: readonly RenderedFile[];
  readonly migration?: Evolved;
  /** Of all migrations that are written. */
  readonly hazards: readonly Hazard[];
  /** Open questions: while there is one, nothing is planned. */
  readonly ambiguities: readonly Ambiguity[];
  /** Files of which nobody can tell whether they were moved or deleted: the same. */
  readonly doubts: readonly Doubt[];
  /** Losses and risks that nobody has agreed to: the same. */
  readonly unaccepted: readonly Hazard[];
  readonly warnings: readonly Warning[];
  /** Old → new, every spelling of what was renamed: `Post` → `Article`, `posts` → `articles`, `title` → `heading`. */
  readonly spellings: Spellings;
  readonly plan: Plan;
}

/**
 * `change`: what is made instead of what the schema says. Throws a `UserError` when conflicts are open (SCF506), a file cannot be written (SCF513), or the options names what is
 * not there (SCF001, SCF516).
 */
export async function planRegeneration(
  found: Project,
  options: RunOptions,
  change: (after: App, before: App) => App = (after) => after,
): Promise<Regeneration> {
  refuseOpenConflicts(found);
  const followed = followMoved(found, options.moved);
  const history = readHistory(followed.folder, followed.record);
  const step = findSchemaStep(followed, options, history);
  const app = change(step.app, followed.app);
  const { evolved: migration, hazards, unaccepted, warnings } = step;
  const ambiguities = findAmbiguities(migration?.changes ?? []).filter(
    ({ loss, target }) => !options.accepted.includes(`${loss}:${target}`),
  );
  const renamed = findRenamed(followed.app, app);
  const doubts = (followed.doubts ?? []).filter(
    (it) => !options.accepted.includes(deletionKey(it)) && !matchesAny(it.path, options.restore),
  );
  const open = { hazards, ambiguities, doubts, unaccepted, warnings };
  const facts = { app, ...(migration && { migration }), ...open };
  if (ambiguities.length + doubts.length + unaccepted.length > 0) {
    return { ...facts, rendered: [], spellings: renamed.everywhere, plan: emptyPlan };
  }
  const made = renderProject(app, step);
  const project = followRenamed(followed, findGone(followed, made));
  const rendered = placeRendered(made, project.record);
  const gone = findGone(project, rendered);
  const elements = findElements(project.app, app);
  // A part of the files leaves migrations of other branches to the run that joins them.
  const known = options.only.length > 0 ? { ...history, migrations: [] } : history;
  const next = {
    ...options,
    app,
    rendered,
    gone,
    elements,
    renamed,
    history: known,
    step: step.history,
  };
  const plan = await planFiles(project, next);
  return { ...facts, rendered, spellings: allSpellings(project, rendered, renamed), plan };
}

function refuseOpenConflicts({ openConflicts }: Project): void {
  if (openConflicts.length === 0) return;
  const paths = openConflicts.map(({ path }) => `\`${path}\``).join(', ');
  throw new UserError('SCF506', `Conflicts of an earlier run are open: ${paths}.`, {
    exit: exitCode.conflicts,
    help: 'Settle them: `npx scaffold resolve` lists them.',
  });
}

/** With the compounds of the files that a renamed model has: `createPost` → `createArticle`. */
function allSpellings(
  project: Project,
  rendered: readonly RenderedFile[],
  renamed: Renamed,
): Spellings {
  const baseOf = formerBases(project, openDisk(project.folder));
  const moved = meetRecord(rendered, project.record).meetings.flatMap(({ file, was }) =>
    was && (was.recorded.home ?? was.path) !== (file.home ?? file.path)
      ? [
          ...withCompounds(spellingsFor(file, renamed), renamed.ofModels, {
            base: baseOf(was) ?? '',
            theirs: file.content,
          }),
        ]
      : [],
  );
  const ofMembers = [...renamed.inModel.values()].flatMap((it) => [...it]);
  return new Map([...ofMembers, ...moved, ...renamed.everywhere]);
}

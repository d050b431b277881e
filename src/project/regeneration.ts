import { acceptanceKey } from '../evolve/hazards/hazard.ts';
import { listAmbiguities } from '../evolve/changes/candidates.ts';
import { type Disk, cannotWrite } from './disk.ts';
import { byPath, hashText, isBelowScaffold, nextBasePath, snapshotPath } from './paths.ts';
import {
  emptyPlan,
  isWritten,
  type Plan,
  type FileChange,
  type RunOptions,
  type Write,
} from './plan.ts';
import { planRecordWrites } from './plan/plan-record.ts';
import type { NextFiles } from './plan/context.ts';
import { decideFiles } from './plan/decide-files.ts';
import { listUndoableChanges } from './plan/schema-changes.ts';
import type { NextApp } from './plan/next-app.ts';
import { type FollowedProject, followMoved } from './plan/follow-moved.ts';
import {
  readFormerBases,
  homePath,
  type MatchedFiles,
  placeRendered,
  matchRecord,
} from './plan/match-record.ts';
import { collectRetiredFiles, followRenamedTemplates } from './plan/retired-files.ts';
import { importAsProject } from './plan/import-as-project.ts';
import type { BaseOf, FileOutcome } from './plan/outcome.ts';
import { planSchemaStep, type SchemaStep } from './plan/schema-step.ts';
import { makeMatcher } from './path-patterns.ts';
import { collectRenamed, type Renamed, type Spellings, spellingsFor } from './plan/spellings.ts';
import { deletionKey, hasOpenQuestions, type Questions } from './questions.ts';
import type { Project } from './read-project.ts';
import { printSnapshot, recordRun } from './record.ts';
import { renderProject } from './render-project.ts';
import { relocateImports } from './plan/relocate-imports.ts';

/** What a run would do, computed as a whole before anything is written. */
export interface Regeneration extends Questions, Omit<SchemaStep, 'migrations' | 'history'> {
  /** What scaffold renders now, by path. */
  readonly nextTexts: ReadonlyMap<string, string>;
  /** What the last run emitted for a file of the record. */
  readonly baseOf: BaseOf;
  /** Every spelling of what was renamed, old → new: `Post` → `Article`, `posts` → `articles`, `title` → `heading`. */
  readonly spellings: Spellings;
  readonly plan: Plan;
}

/**
 * For a project without open conflicts. Throws a `UserError` when a file has conflict markers in it (SCF506) or cannot
 * be written (SCF513), and when an option names something that does not exist (SCF001, SCF516).
 */
export async function planRegeneration(
  found: Project,
  next: NextApp,
  options: RunOptions,
): Promise<Regeneration> {
  const baseOf = readFormerBases(found);
  const followed = followMoved(found, baseOf, options.moved);
  const { migrations, history, ...step } = planSchemaStep(followed, next, options);
  const { app } = step;
  const renamed = collectRenamed(followed.app, app);
  const planned = { ...step, ...listUndecided(followed, step, options), baseOf };
  const unaccepted = options.showsLosses ? [] : step.unaccepted;
  if (hasOpenQuestions({ ...planned, unaccepted })) {
    const spellings = renamed.everywhere;
    return { ...planned, nextTexts: new Map(), isJoined: false, spellings, plan: emptyPlan };
  }
  const renderedAtHome = renderProject(app, migrations);
  const retired = collectRetiredFiles(followed, renderedAtHome);
  const { project, renamedTemplates } = followRenamedTemplates(followed, retired);
  const rendered = placeRendered(renderedAtHome, project.record);
  // If the schema was not edited, a difference comes from the new version of scaffold.
  const isSameSchema = project.record.source === hashText(options.schemaText);
  const changes = isSameSchema ? [] : listUndoableChanges(project.app, app, project.record);
  const matches = matchRecord(rendered, project.record);
  const texts = new Map(rendered.map(({ path, content }) => [path, content]));
  const plan = await planFiles(project, {
    ...options,
    app,
    rendered,
    texts,
    matches,
    retired,
    renamedTemplates,
    changes,
    renamed,
    history,
  });
  return { ...planned, nextTexts: texts, spellings: allSpellings(matches, baseOf, renamed), plan };
}

/** Possible renames and moves that no option decides. */
function listUndecided(
  { doubts }: FollowedProject,
  { newMigration }: Pick<SchemaStep, 'newMigration'>,
  { accepted, restore }: RunOptions,
): Pick<Questions, 'ambiguities' | 'doubts'> {
  const isRestored = makeMatcher(restore);
  return {
    ambiguities: listAmbiguities(newMigration?.changes ?? []).filter(
      (it) => !accepted.includes(acceptanceKey(it)),
    ),
    doubts: doubts.filter((it) => !accepted.includes(deletionKey(it)) && !isRestored(it.path)),
  };
}

/** Includes compounds from the files of renamed models: `createPost` → `createArticle`. */
function allSpellings({ matched }: MatchedFiles, baseOf: BaseOf, renamed: Renamed): Spellings {
  const moved = matched.flatMap(({ file, former }) => {
    if (!former || homePath(former) === (file.home ?? file.path)) return [];
    return [...spellingsFor(file, renamed, baseOf(former) ?? '')];
  });
  const ofMembers = [...renamed.inModel.values()].flatMap((it) => [...it]);
  return new Map([...ofMembers, ...moved, ...renamed.everywhere]);
}

/** Reads the project's files and decides what is written; throws a `UserError` if one of them cannot be written. */
async function planFiles(project: FollowedProject, next: NextFiles): Promise<Plan> {
  const { outcomes, settings } = await decideFiles(project, next);
  const decided = [...outcomes.flatMap(({ change }) => change ?? []), ...settings];
  const relocated = relocateImports(decided.toSorted(byPath), project.disk);
  const changes = await importAsProject(relocated, project, next.texts);
  refuseBlocked(changes, project.disk);
  const count = (wanted: FileOutcome['status']) =>
    outcomes.filter(({ status }) => status === wanted).length;
  return {
    changes,
    kept: count('kept'),
    unchanged: count('unchanged'),
    deleted: count('deleted'),
    recordWrites: recordOutcomes(outcomes, project, next),
  };
}

function recordOutcomes(
  outcomes: readonly FileOutcome[],
  { record: former, bases, disk }: FollowedProject,
  { app, schemaText, rendered, texts }: NextFiles,
): readonly Write[] {
  const open = outcomes.flatMap((outcome) => outcome.open ?? []);
  const others = new Map([
    ...bases,
    ...open
      .filter(({ kind }) => kind !== 'gone')
      .map(({ path }) => [nextBasePath(path), texts.get(path)] as const),
    ...rendered
      .filter(({ path }) => isBelowScaffold(path))
      .map(({ path, content }) => [path, content] as const),
    [snapshotPath, printSnapshot(app)] as const,
  ]);
  return planRecordWrites(
    { former, record: recordRun(app, schemaText), outcomes, open, others },
    disk,
  );
}

/** Throws if a file cannot be written, before anything is written. */
function refuseBlocked(changes: readonly FileChange[], disk: Disk): void {
  const vacated = new Set(
    changes.flatMap(({ action, from, path }) => (action === 'delete' ? [path] : (from ?? []))),
  );
  for (const change of changes) {
    const { path, from } = change;
    const there = disk(path);
    if (there?.kind === 'obstacle' && change.action !== 'eject')
      throw cannotWrite(path, there.what);
    if (from !== undefined && there && !vacated.has(path)) {
      throw cannotWrite(path, `a file of yours is there, and \`${from}\` moves to it`);
    }
    for (const touched of isWritten(change) ? [path, ...(from ?? [])] : []) {
      const found = disk(touched);
      if (found?.kind === 'text' && found.isReadOnly) throw cannotWrite(touched, 'it is read-only');
    }
  }
}

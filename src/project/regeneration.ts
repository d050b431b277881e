import { acceptanceKey } from '../evolve/hazards/hazard.ts';
import { findAmbiguities } from '../evolve/changes/candidates.ts';
import { type Disk, cannotWrite } from './disk.ts';
import { byPath, hashText, isToolFile, nextBasePath, snapshotPath } from './paths.ts';
import {
  emptyPlan,
  isWritten,
  type Plan,
  type FileChange,
  type RunOptions,
  type Write,
} from './plan.ts';
import { keepBooks } from './plan/bookkeeping.ts';
import { decideFiles, type NextFiles } from './plan/decide-files.ts';
import { findUndoableChanges } from './plan/schema-changes.ts';
import { type Followed, followMoved } from './plan/follow-moved.ts';
import { formerBases, homeOf, type Met, placeRendered, meetRecord } from './plan/former-files.ts';
import { findGone, followRenamed } from './plan/gone.ts';
import { importAsProject } from './plan/import-as-project.ts';
import type { BaseOf, FileOutcome } from './plan/outcome.ts';
import { findSchemaStep, type SchemaStep } from './plan/schema-step.ts';
import { matcherOf } from './path-patterns.ts';
import { findRenamed, type Renamed, type Spellings, spellingsFor } from './plan/spellings.ts';
import { deletionKey, hasOpenQuestions, type Questions } from './questions.ts';
import type { Project } from './read-project.ts';
import { printSnapshot, recordRun } from './record.ts';
import { renderProject } from './render-project.ts';
import { relocateImports } from './plan/relocate-imports.ts';

/** What a run would do, computed as a whole before anything is written. */
export interface Regeneration extends Questions, Omit<SchemaStep, 'migrations' | 'history'> {
  /** What scaffold makes now, by path. */
  readonly nextTexts: ReadonlyMap<string, string>;
  /** What was made last, for each file of the record. */
  readonly baseOf: BaseOf;
  /** Old → new, every spelling of what was renamed: `Post` → `Article`, `posts` → `articles`, `title` → `heading`. */
  readonly spellings: Spellings;
  readonly plan: Plan;
}

/**
 * For a project without open conflicts. Throws a `UserError` when a file has markers in it (SCF506) or cannot be
 * written (SCF513), or when the options name what is not there (SCF001, SCF516).
 */
export async function planRegeneration(found: Project, options: RunOptions): Promise<Regeneration> {
  const baseOf = formerBases(found);
  const followed = followMoved(found, baseOf, options.moved);
  const { migrations, history, ...step } = findSchemaStep(followed, options);
  const { app } = step;
  const ambiguities = findAmbiguities(step.newMigration?.changes ?? []).filter(
    (it) => !options.accepted.includes(acceptanceKey(it)),
  );
  const renamed = findRenamed(followed.app, app);
  const isRestored = matcherOf(options.restore);
  const doubts = followed.doubts.filter(
    (it) => !options.accepted.includes(deletionKey(it)) && !isRestored(it.path),
  );
  const facts = { ...step, ambiguities, doubts, baseOf };
  if (hasOpenQuestions(facts)) {
    const spellings = renamed.everywhere;
    return { ...facts, nextTexts: new Map(), isJoined: false, spellings, plan: emptyPlan };
  }
  const atHome = renderProject(app, migrations);
  const gone = findGone(followed, atHome);
  const project = followRenamed(followed, gone);
  const rendered = placeRendered(atHome, project.record);
  // If the schema was not edited, a difference comes from the new version of scaffold.
  const isSameSchema = project.record.source === hashText(options.schemaText);
  const changes = isSameSchema ? [] : findUndoableChanges(project.app, app, project.record);
  const met = meetRecord(rendered, project.record);
  const texts = new Map(rendered.map(({ path, content }) => [path, content]));
  const next = { ...options, app, rendered, texts, met, gone, changes, renamed, history };
  const plan = await planFiles(project, next);
  return { ...facts, nextTexts: texts, spellings: allSpellings(met, baseOf, renamed), plan };
}

/** With the compounds of the files that a renamed model has: `createPost` → `createArticle`. */
function allSpellings({ meetings }: Met, baseOf: BaseOf, renamed: Renamed): Spellings {
  const moved = meetings.flatMap(({ file, was }) => {
    if (!was || homeOf(was) === (file.home ?? file.path)) return [];
    return [...spellingsFor(file, renamed, baseOf(was) ?? '')];
  });
  const ofMembers = [...renamed.inModel.values()].flatMap((it) => [...it]);
  return new Map([...ofMembers, ...moved, ...renamed.everywhere]);
}

/** Reads the project's files and decides what is written; throws a `UserError` when one of them cannot be. */
async function planFiles(project: Followed, next: NextFiles): Promise<Plan> {
  const { outcomes, settings } = await decideFiles(project, next);
  const decided = [...outcomes.flatMap(({ change }) => change ?? []), ...settings];
  const relocated = relocateImports(decided.toSorted(byPath), project.disk);
  const changes = importAsProject(relocated, project, next.texts);
  refuseBlocked(changes, project.disk);
  const count = (wanted: FileOutcome['standing']) =>
    outcomes.filter(({ standing }) => standing === wanted).length;
  return {
    changes,
    kept: count('kept'),
    unchanged: count('unchanged'),
    deleted: count('deleted'),
    bookkeeping: recordOutcomes(outcomes, project, next),
  };
}

function recordOutcomes(
  outcomes: readonly FileOutcome[],
  { record: former, bases, disk }: Followed,
  { app, schemaText, rendered, texts }: NextFiles,
): readonly Write[] {
  const open = outcomes.flatMap((outcome) => outcome.open ?? []);
  const others = new Map([
    ...bases,
    ...open
      .filter(({ kind }) => kind !== 'gone')
      .map(({ path }) => [nextBasePath(path), texts.get(path)] as const),
    ...rendered.filter(isToolFile).map(({ path, content }) => [path, content] as const),
    [snapshotPath, printSnapshot(app)] as const,
  ]);
  return keepBooks({ former, record: recordRun(app, schemaText), outcomes, open, others }, disk);
}

/** Throws if a file cannot be written at its place, before anything is written. */
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
    for (const place of isWritten(change) ? [path, ...(from ?? [])] : []) {
      const found = disk(place);
      if (found?.kind === 'text' && found.isReadOnly) throw cannotWrite(place, 'it is read-only');
    }
  }
}

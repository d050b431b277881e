import { exitCode, UserError } from '../errors.ts';
import { findAmbiguities } from '../evolve/changes/candidates.ts';
import type { RenderedFile } from '../render/rendered-file.ts';
import { type Disk, cannotWrite } from './disk.ts';
import { byPath, hashText, isOurs, nextBasePath, snapshotPath } from './paths.ts';
import { emptyPlan, isWritten, type Plan, type FileChange, type RunOptions } from './plan.ts';
import { keepBooks } from './plan/bookkeeping.ts';
import { decideFiles, type NextFiles } from './plan/decide-files.ts';
import { findSchemaChanges } from './plan/schema-changes.ts';
import { type Followed, followMoved } from './plan/follow-moved.ts';
import { formerBases, homeOf, placeRendered, meetRecord } from './plan/former-files.ts';
import { findGone, followRenamed } from './plan/gone.ts';
import { importAsProject } from './plan/import-as-project.ts';
import { asItIs, type BaseOf, type FileOutcome } from './plan/outcome.ts';
import { findSchemaStep, type SchemaStep } from './plan/schema-step.ts';
import { matcherOf } from './plan/select.ts';
import { findRenamed, type Renamed, type Spellings, spellingsFor } from './plan/spellings.ts';
import { deletionKey, hasOpenQuestions, type Questions } from './questions.ts';
import type { Project } from './read-project.ts';
import { printSnapshot, recordRun } from './record.ts';
import { renderProject } from './render-project.ts';
import { relocateImports } from './plan/relocate-imports.ts';

/** What a run would do, computed as a whole before anything is written. */
export interface Regeneration extends Questions, Omit<SchemaStep, 'migrations' | 'history'> {
  /** What scaffold makes of each file, by path. */
  readonly nextTexts: ReadonlyMap<string, string>;
  /** What was made last of each file of the record. */
  readonly baseOf: BaseOf;
  /** Old → new, every spelling of what was renamed: `Post` → `Article`, `posts` → `articles`, `title` → `heading`. */
  readonly spellings: Spellings;
  readonly plan: Plan;
}

/**
 * For a project without open conflicts. Throws a `UserError` when a file has markers in it (SCF506) or cannot be written
 * (SCF513), or when the options name what is not there (SCF001, SCF516).
 */
export async function planRegeneration(found: Project, options: RunOptions): Promise<Regeneration> {
  const baseOf = formerBases(found);
  const followed = followMoved(found, baseOf, options.moved);
  const { migrations, history, ...step } = findSchemaStep(followed, options);
  const { app } = step;
  const ambiguities = findAmbiguities(step.evolved?.schemaChanges ?? []).filter(
    ({ loss, target }) => !options.accepted.includes(`${loss}:${target}`),
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
  // Where nobody edited the schema, it is the new version that says more of it.
  const isSameSchema = project.record.source === hashText(options.schemaText);
  const changes = isSameSchema ? [] : findSchemaChanges(project.app, app, project.record);
  const next = { ...options, app, rendered, gone, changes, renamed, history };
  const nextTexts = new Map(rendered.map(({ path, content }) => [path, content]));
  const plan = await planFiles(project, next, nextTexts);
  return { ...facts, nextTexts, spellings: allSpellings(project, rendered, renamed), plan };
}

/** With the compounds of the files that a renamed model has: `createPost` → `createArticle`. */
function allSpellings(
  { record, baseOf }: Followed,
  rendered: readonly RenderedFile[],
  renamed: Renamed,
): Spellings {
  const moved = meetRecord(rendered, record).meetings.flatMap(({ file, was }) => {
    if (!was || homeOf(was) === (file.home ?? file.path)) return [];
    return [...spellingsFor(file, renamed, baseOf(was) ?? '')];
  });
  const ofMembers = [...renamed.inModel.values()].flatMap((it) => [...it]);
  return new Map([...ofMembers, ...moved, ...renamed.everywhere]);
}

/** Reads the project's files and decides what is written; throws a `UserError` when one of them cannot be. */
async function planFiles(
  project: Followed,
  next: NextFiles,
  nextTexts: ReadonlyMap<string, string>,
): Promise<Plan> {
  const { disk } = project;
  const { outcomes: decided, settings } = await decideFiles(project, next);
  refuseMarked(decided);
  const outcomes = explainMoves(decided, project);
  const wanted = [...outcomes.flatMap(({ change }) => change ?? []), ...settings];
  const sorted = wanted.toSorted(byPath);
  const relocated = relocateImports(sorted, disk);
  const changes = importAsProject(relocated, project, nextTexts);
  refuseBlocked(changes, disk);
  const open = outcomes.flatMap((outcome) => outcome.open ?? []);
  const own = next.rendered.filter(isOurs);
  const others = new Map([
    ...project.bases,
    ...open
      .filter(({ kind }) => kind !== 'gone')
      .map(({ path }) => [nextBasePath(path), nextTexts.get(path)] as const),
    ...own.map(({ path, content }) => [path, content] as const),
    [snapshotPath, printSnapshot(next.app)] as const,
  ]);
  const books = { former: project.record, record: recordRun(next.app, next.schemaText) };
  return {
    changes,
    kept: count(outcomes, 'kept'),
    unchanged: count(outcomes, 'unchanged'),
    deleted: count(outcomes, 'deleted'),
    bookkeeping: keepBooks({ ...books, outcomes, open, others }, disk),
  };
}

function count(outcomes: readonly FileOutcome[], wanted: FileOutcome['standing']): number {
  return outcomes.filter(({ standing }) => standing === wanted).length;
}

/** Throws when a file cannot be written where it goes, before anything is. */
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

/** Throws when files that need a merge have conflict markers in them, from git or from an earlier run. */
function refuseMarked(outcomes: readonly FileOutcome[]): void {
  const marked = outcomes.filter(({ standing }) => standing === 'marked');
  if (marked.length === 0) return;
  const paths = marked.map(({ path }) => `\`${path}\``).join(', ');
  throw new UserError('SCF506', `There are conflict markers in ${paths}.`, {
    exit: exitCode.conflicts,
    help: 'Settle what is between them, then run the command again.',
  });
}

/** Says of each file that its owner has moved where it comes from, once: later runs do not repeat it. To move it was an edit. */
function explainMoves(
  outcomes: readonly FileOutcome[],
  { moved, disk }: Followed,
): readonly FileOutcome[] {
  return outcomes.map((outcome) => {
    const origin = moved.get(outcome.change?.from ?? outcome.path);
    const change = outcome.change ?? asItIs(outcome.path, disk, outcome.recorded);
    if (origin === undefined || !change) return outcome;
    const move = `You moved it from \`${origin}\`.`;
    const edit = { action: 'merge', reason: `${move} It has the changes.` } as const;
    const news = change.action === 'update' ? edit : { reason: `${move} ${change.reason}` };
    return { ...outcome, change: { ...change, ...news } };
  });
}

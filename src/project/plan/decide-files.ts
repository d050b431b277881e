import { exitCode, UserError } from '../../errors.ts';
import type { RunOptions, FileChange } from '../plan.ts';
import { isReformatted } from '../../merge/merge.ts';
import type { RenderedFile } from '../../render/rendered-file.ts';
import { digestTemplates } from '../../render/template-files.ts';
import type { UndoableChange } from './schema-changes.ts';
import { decideGone } from './gone.ts';
import { findCarried, mergeCarried } from './carried-edits.ts';
import { decideOutcome } from './decide-outcome.ts';
import { hasText, type TextFile } from '../disk.ts';
import {
  asItIs,
  makeOutcome,
  type FileOutcome,
  type FormerFile,
  type DecisionFacts,
  withModel,
  type Meeting,
  type Gone,
} from './outcome.ts';
import type { Followed } from './follow-moved.ts';
import type { Met } from './former-files.ts';
import { mergeFile } from './merge-file.ts';
import { normalized } from '../../merge/line-endings.ts';
import { hashText } from '../paths.ts';
import { importedBy, readAliases, withoutAliases } from '../imports.ts';
import { selectRestored } from './select.ts';
import type { App } from '../../model/app.ts';
import { type History, historyOutcomes } from './schema-step.ts';
import type { Renamed } from './spellings.ts';
import { meetArrived, otherBranch } from './merged-branch.ts';
import { planEnvironment } from './environment.ts';
import { inTicks } from '../../words.ts';

/**
 * What becomes of every file: of the history, of what is to be, and of what nothing asks for any more. `settings`: of the
 * machine's own `.env`, which is not in the record. Throws (SCF506) where a file to be merged has conflict markers in it.
 */
export async function decideFiles(
  project: Followed,
  next: NextFiles,
): Promise<{
  readonly outcomes: readonly FileOutcome[];
  readonly settings: readonly FileChange[];
}> {
  const { disk, baseOf, renamedTemplates } = project;
  const met = meetArrived(next.met, disk);
  const past = historyOutcomes(met.history, next.history, disk);
  const vacated = new Set(past.map(({ change }) => change?.from));
  const deleted = met.meetings.flatMap(({ was }) => (was && !disk(was.path) ? [was] : []));
  const isRestored = selectRestored(next.restore, deleted);
  const isUpgrade = project.record.templates !== digestTemplates();
  const carried = isUpgrade ? await findCarried(met.meetings, disk, baseOf) : [];
  const facts: DecisionFacts = {
    disk: (path) => (vacated.has(path) ? undefined : disk(path)),
    carried,
    onConflict: next.onConflict,
    isRestored,
    lacking: findStranded(met.meetings, (path) => !disk(path) && !isRestored(path)),
    baseOf,
    otherBranch: otherBranch(next.history, project.record),
    gone: next.gone,
    made: next.rendered,
    renamedTemplates,
    mergeFile: (file, texts) =>
      mergeCarried(file.path, texts, carried, (it) => mergeFile(file, it, next)),
  };
  const decided = [...past, ...(await decideAll(met, facts))];
  refuseMarked(decided);
  return {
    outcomes: explainMoves(decided, project),
    settings: planEnvironment(met.meetings, facts),
  };
}

async function decideAll(
  { meetings, left }: Met,
  facts: DecisionFacts,
): Promise<readonly FileOutcome[]> {
  const outcomes: FileOutcome[] = [];
  for (const meeting of meetings) outcomes.push(await decideOutcome(meeting, facts));
  for (const former of left) outcomes.push(await decideEnd(former, facts));
  return outcomes;
}

/** Files that the schema no longer needs. */
async function decideEnd(former: FormerFile, facts: DecisionFacts): Promise<FileOutcome> {
  const { path, recorded } = former;
  const found = facts.disk(path);
  if (!found) return { path, standing: 'changed' };
  const known = { path, mode: recorded.mode, conflicts: [], ...withModel(recorded) };
  if (found.kind === 'text' && (await isAsMade(former, found, facts))) {
    const reason = 'The schema no longer needs it.';
    return makeOutcome({ ...known, action: 'delete', reason, before: found.text });
  }
  if (recorded.state === 'ejected') return { path, standing: 'kept', recorded };
  const gone = facts.gone.get(path);
  if (gone && found.kind === 'text') return decideGone(gone, found, facts);
  const text = found.kind === 'text' ? { before: found.text, after: found.text } : {};
  const reason = 'The schema no longer needs it. You edited it, so it stays and is yours alone.';
  const change: FileChange = { ...known, ...text, action: 'eject', reason };
  return makeOutcome(change, { recorded: { ...recorded, state: 'ejected' } });
}

/** Layout, and aliases in imports, may differ. */
export async function isAsMade(
  former: FormerFile,
  found: Pick<TextFile, 'text'>,
  facts: Pick<DecisionFacts, 'disk' | 'baseOf'>,
): Promise<boolean> {
  if (hashText(found.text) === former.recorded.base) return true;
  const base = facts.baseOf(former);
  if (base === undefined) return false;
  const file = { path: former.path, text: normalized(found.text) };
  const mine = withoutAliases(file, readAliases(facts.disk), hasText(facts.disk));
  return isReformatted(former.recorded.kind, base, mine);
}

/**
 * New code that nothing imports and that imports a file its owner has deleted, such as the test of a new model where
 * the tests are gone: the missing file, by path of the new one.
 */
function findStranded(
  meetings: readonly Meeting[],
  isDeleted: (path: string) => boolean,
): ReadonlyMap<string, string> {
  const gone = new Set(
    meetings.flatMap(({ file, was }) => (was && isDeleted(was.path) ? [file.path] : [])),
  );
  if (gone.size === 0) return new Map();
  const code = meetings.map(({ file }) => file).filter(({ kind }) => kind === 'ts');
  const paths = new Set(code.map(({ path }) => path));
  const importsOf = ({ path, content }: RenderedFile) =>
    importedBy(path, content, (it) => paths.has(it));
  const used = new Set(code.flatMap(importsOf));
  return new Map(
    meetings.flatMap(({ file, was }): readonly (readonly [string, string])[] => {
      const lacking = importsOf(file).find((path) => gone.has(path));
      const isStranded = !was && !used.has(file.path) && lacking !== undefined;
      return isStranded ? [[file.path, lacking]] : [];
    }),
  );
}

/** Throws when files that need a merge have conflict markers in them, from git or from an earlier run. */
function refuseMarked(outcomes: readonly FileOutcome[]): void {
  const marked = outcomes.filter(({ standing }) => standing === 'marked');
  if (marked.length === 0) return;
  const paths = inTicks(marked.map(({ path }) => path)).join(', ');
  throw new UserError('SCF506', `There are conflict markers in ${paths}.`, {
    exit: exitCode.conflicts,
    help: 'Choose what to keep between them, then run the command again.',
  });
}

/** Reports the origin of each moved file, once; the move counts as an edit. */
function explainMoves(
  outcomes: readonly FileOutcome[],
  { cameFrom, disk }: Followed,
): readonly FileOutcome[] {
  return outcomes.map((outcome) => {
    const origin = cameFrom.get(outcome.change?.from ?? outcome.path);
    const change = outcome.change ?? asItIs(outcome.path, disk, outcome.recorded);
    if (origin === undefined || !change) return outcome;
    const move = `You moved it from \`${origin}\`.`;
    const edit = { action: 'merge', reason: `${move} It has the changes.` } as const;
    const news = change.action === 'update' ? edit : { reason: `${move} ${change.reason}` };
    return { ...outcome, change: { ...change, ...news } };
  });
}

/** The next state of a project's files. */
export interface NextFiles extends Omit<RunOptions, 'schema' | 'renames' | 'accepted'> {
  readonly app: App;
  readonly rendered: readonly RenderedFile[];
  /** The same by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** With what the record has in their places. */
  readonly met: Met;
  /** Files that no template makes any more, by path. */
  readonly gone: ReadonlyMap<string, Gone>;
  readonly changes: readonly UndoableChange[];
  readonly renamed: Renamed;
  readonly history: History;
}

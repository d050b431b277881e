import { exitCode, UserError } from '../../errors.ts';
import type { FileChange } from '../plan.ts';
import { isReformatted } from '../../merge/merge.ts';
import type { RenderedFile } from '../../render/rendered-file.ts';
import { digestTemplates } from '../../render/template-files.ts';
import { decideRetired } from './retired-files.ts';
import { listMovedDeclarations, mergeMovedDeclarations } from './moved-declarations.ts';
import type { DecisionContext, NextFiles } from './context.ts';
import { decideOutcome } from './decide-outcome.ts';
import { hasText, type TextFile } from '../disk.ts';
import {
  unwrittenChange,
  makeOutcome,
  type FileOutcome,
  type FormerFile,
  pickModel,
  type MatchedFile,
} from './outcome.ts';
import type { FollowedProject } from './follow-moved.ts';
import type { MatchedFiles } from './match-record.ts';
import { mergeFile } from './merge-file.ts';
import { toUnixLines } from '../../merge/line-endings.ts';
import { hashText } from '../paths.ts';
import { importedBy, readAliases, withoutAliases } from '../imports.ts';
import { makeMatcher } from '../path-patterns.ts';
import { decideHistory } from './history-outcomes.ts';
import { followMergedRenames, branchTexts } from './merged-branch.ts';
import { planEnvironment } from './environment.ts';
import { inTicks } from '../../words.ts';

/**
 * Decides about every file: existing migrations, rendered files, and files that are no longer rendered. `settings`:
 * changes of the machine's `.env`, which is not in the record. Throws if a file to be merged has conflict markers (SCF506).
 */
export async function decideFiles(
  project: FollowedProject,
  next: NextFiles,
): Promise<{
  readonly outcomes: readonly FileOutcome[];
  readonly settings: readonly FileChange[];
}> {
  const { disk, baseOf } = project;
  const matches = followMergedRenames(next.matches, disk);
  const past = decideHistory(matches.history, next.history, disk);
  const vacated = new Set(past.map(({ change }) => change?.from));
  const deleted = matches.matched.flatMap(({ former }) =>
    former && !disk(former.path) ? [former] : [],
  );
  const isRestored = selectRestored(next.restore, deleted);
  const isUpgrade = project.record.templates !== digestTemplates();
  const movedDeclarations = isUpgrade
    ? await listMovedDeclarations(matches.matched, disk, baseOf)
    : [];
  const context: DecisionContext = {
    ...next,
    baseOf,
    disk: (path) => (vacated.has(path) ? undefined : disk(path)),
    movedDeclarations,
    isRestored,
    missingImports: listStranded(matches.matched, (path) => !disk(path) && !isRestored(path)),
    branchText: branchTexts(next.history, project.record),
    mergeFile: (file, texts) =>
      mergeMovedDeclarations(file.path, texts, movedDeclarations, (it) =>
        mergeFile(file, it, next),
      ),
  };
  const decided = [...past, ...(await decideAll(matches, context))];
  refuseMarked(decided);
  return {
    outcomes: reportMoves(decided, project),
    settings: planEnvironment(matches.matched, context),
  };
}

/** Whether a deleted file is to be restored. */
function selectRestored(
  restore: readonly string[],
  deleted: readonly FormerFile[],
): (path: string) => boolean {
  for (const name of restore) {
    const isNamed = makeMatcher([name]);
    if (deleted.some(({ path }) => isNamed(path))) continue;
    const paths = inTicks(deleted.map(({ path }) => path)).join(', ');
    throw new UserError('SCF516', `\`--restore ${name}\` matches nothing in this project.`, {
      exit: exitCode.usage,
      help: paths ? `You have deleted ${paths}.` : 'You have deleted no file.',
    });
  }
  return makeMatcher(restore);
}

async function decideAll(
  { matched, unmatched }: MatchedFiles,
  context: DecisionContext,
): Promise<readonly FileOutcome[]> {
  const outcomes: FileOutcome[] = [];
  for (const match of matched) outcomes.push(await decideOutcome(match, context));
  for (const former of unmatched) outcomes.push(await decideUnmatched(former, context));
  return outcomes;
}

/** Files that the schema no longer needs. */
async function decideUnmatched(former: FormerFile, context: DecisionContext): Promise<FileOutcome> {
  const { path, recorded } = former;
  const found = context.disk(path);
  if (!found) return { path, status: 'gone' };
  const known = { path, mode: recorded.mode, conflicts: [], ...pickModel(recorded) };
  if (found.kind === 'text' && (await isUnedited(former, found, context))) {
    const reason = 'The schema no longer needs it.';
    return makeOutcome({ ...known, action: 'delete', reason, before: found.text });
  }
  if (recorded.state === 'ejected') return { path, status: 'kept', recorded };
  const retired = context.retired.get(path);
  if (retired && found.kind === 'text') return decideRetired(retired, found, context);
  const text = found.kind === 'text' ? { before: found.text, after: found.text } : {};
  const reason = 'The schema no longer needs it. You edited it, so it stays and is yours alone.';
  const change: FileChange = { ...known, ...text, action: 'eject', reason };
  return makeOutcome(change, { recorded: { ...recorded, state: 'ejected' } });
}

/** Ignores differences in layout and in import aliases. */
export async function isUnedited(
  former: FormerFile,
  found: Pick<TextFile, 'text'>,
  context: Pick<DecisionContext, 'disk' | 'baseOf'>,
): Promise<boolean> {
  if (hashText(found.text) === former.recorded.base) return true;
  const base = context.baseOf(former);
  if (base === undefined) return false;
  const file = { path: former.path, text: toUnixLines(found.text) };
  const ours = withoutAliases(file, readAliases(context.disk), hasText(context.disk));
  return isReformatted(former.recorded.kind, base, ours);
}

/**
 * New files that nothing imports and that import a file its owner has deleted, such as the test of a new model in a
 * project without tests. The deleted file, by the path of the new one.
 */
function listStranded(
  matched: readonly MatchedFile[],
  isDeleted: (path: string) => boolean,
): ReadonlyMap<string, string> {
  const gone = new Set(
    matched.flatMap(({ file, former }) => (former && isDeleted(former.path) ? [file.path] : [])),
  );
  if (gone.size === 0) return new Map();
  const code = matched.map(({ file }) => file).filter(({ kind }) => kind === 'ts');
  const paths = new Set(code.map(({ path }) => path));
  const listImportedPaths = ({ path, content }: RenderedFile) =>
    importedBy(path, content, (it) => paths.has(it));
  const used = new Set(code.flatMap(listImportedPaths));
  return new Map(
    matched.flatMap(({ file, former }): readonly (readonly [string, string])[] => {
      const missing = listImportedPaths(file).find((path) => gone.has(path));
      const isStranded = !former && !used.has(file.path) && missing !== undefined;
      return isStranded ? [[file.path, missing]] : [];
    }),
  );
}

/** Throws if a file that needs a merge has conflict markers, from git or from an earlier run. */
function refuseMarked(outcomes: readonly FileOutcome[]): void {
  const marked = outcomes.filter(({ status }) => status === 'has-markers');
  if (marked.length === 0) return;
  const paths = inTicks(marked.map(({ path }) => path)).join(', ');
  throw new UserError('SCF506', `There are conflict markers in ${paths}.`, {
    exit: exitCode.conflicts,
    help: 'Choose what to keep between them, then run the command again.',
  });
}

/** Tells the owner, once, where scaffold found each file that they moved. A move counts as an edit. */
function reportMoves(
  outcomes: readonly FileOutcome[],
  { cameFrom, disk }: FollowedProject,
): readonly FileOutcome[] {
  return outcomes.map((outcome) => {
    const origin = cameFrom.get(outcome.change?.from ?? outcome.path);
    const change = outcome.change ?? unwrittenChange(outcome.path, disk, outcome.recorded);
    if (origin === undefined || !change) return outcome;
    const move = `You moved it from \`${origin}\`.`;
    const edit = { action: 'merge', reason: `${move} It has the changes.` } as const;
    const shown = change.action === 'update' ? edit : { reason: `${move} ${change.reason}` };
    return { ...outcome, change: { ...change, ...shown } };
  });
}

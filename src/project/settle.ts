import { exitCode, UserError } from '../errors.ts';
import { inTicks } from '../words.ts';
import { withLineEndingsOf, normalized } from '../merge/line-endings.ts';
import { loadTypeScript } from '../merge/load-typescript.ts';
import { findMarkers, hasMarkers } from '../merge/markers.ts';
import { isModuleFile } from './code-files.ts';
import { type Disk, readOrRefuse, readText } from './disk.ts';
import type { ConflictedFile } from './open-conflicts.ts';
import { hashText, nextBasePath } from './paths.ts';
import { type FileChange, emptyPlan, type Plan } from './plan.ts';
import { keepBooks } from './plan/bookkeeping.ts';
import { importAsProject } from './plan/import-as-project.ts';
import { takeWholeSide } from './plan/merge-file.ts';
import { makeOutcome, type FileOutcome, withModel } from './plan/outcome.ts';
import { matcherOf } from './path-patterns.ts';
import type { Project } from './read-project.ts';

export type Settling = 'ours' | 'theirs' | 'edited';

/** A name that a settled file uses but only scaffold's text declares. */
export interface LostName {
  readonly path: string;
  readonly name: string;
}

export interface Settlement extends Plan {
  readonly lost: readonly LostName[];
}

/**
 * The plan that settles the open conflicts of these files (of all, if none is named) one way. Only this updates the
 * base of a file in conflict. Throws a `UserError`: no conflict is open there (SCF516), markers are left (SCF507).
 */
export async function settle(
  project: Project,
  paths: readonly string[],
  side: Settling,
): Promise<Settlement> {
  const { disk, openConflicts, record } = project;
  refuseUnknown(paths, openConflicts);
  const isNamed = matcherOf(paths);
  const isChosen = ({ path }: ConflictedFile) => paths.length === 0 || isNamed(path);
  const chosen = openConflicts.filter(isChosen);
  const outcomes = await Promise.all(chosen.map((it) => settleFile(it, side, disk)));
  const nextTexts = new Map(chosen.map((it) => [it.path, nextText(it, disk)]));
  const settled = outcomes.flatMap(({ change }) => change ?? []);
  const changes = importAsProject(settled, project, nextTexts);
  const kept = Object.entries(record.files)
    .filter(([path]) => !nextTexts.has(path))
    .map(([path, file]) => ({ path, standing: 'kept', recorded: file }) as const);
  const books = {
    former: record,
    record,
    outcomes: [...kept, ...outcomes],
    open: openConflicts.filter((it) => !isChosen(it)),
    others: new Map(chosen.map(({ path }) => [nextBasePath(path), undefined])),
  };
  const lost = await findLost(changes, nextTexts);
  return { ...emptyPlan, changes, lost, bookkeeping: keepBooks(books, disk) };
}

async function settleFile(open: ConflictedFile, side: Settling, disk: Disk): Promise<FileOutcome> {
  const { path, kind, file } = open;
  const found = readOrRefuse(disk, path);
  const next = nextText(open, disk);
  const isForgotten = kind === 'gone' && (side === 'theirs' || !found);
  const moved = { recorded: { ...file, base: hashText(next) }, base: next };
  const memory = isForgotten ? {} : kind === 'gone' ? { recorded: file } : moved;
  // Deleting the file settles the conflict too.
  if (!found) return { path, standing: 'deleted', ...memory };
  const { text: before, mode } = found;
  const facts = { path, ...withModel(file), before, mode, reason: reasons[side], conflicts: [] };
  if (isForgotten) return makeOutcome({ ...facts, action: 'delete' });
  const after = await settledText(open, side, before, next);
  if (hasMarkers(normalized(after))) throw markersLeft(path);
  const lines = findMarkers(normalized(before));
  const settled = open.conflicts.flatMap((it, at) => {
    const line = lines[at];
    return line === undefined ? [] : [{ ...it, line }];
  });
  const action = after === before ? 'adopt' : 'update';
  return makeOutcome({ ...facts, action, after, settled }, memory);
}

const reasons: Readonly<Record<Settling, string>> = {
  ours: 'Yours stays.',
  theirs: 'You took scaffold’s version.',
  edited: 'It stays as you edited it.',
};

async function settledText(
  { kind, file }: ConflictedFile,
  side: Settling,
  text: string,
  next: string,
): Promise<string> {
  if (side === 'edited') return text;
  if (kind === 'added') return side === 'ours' ? text : withLineEndingsOf(text, next);
  const taken = side === 'ours' ? 'mine' : 'theirs';
  const whole = await takeWholeSide(file.kind, normalized(text), taken, next);
  return withLineEndingsOf(text, whole);
}

async function findLost(
  changes: readonly FileChange[],
  nextTexts: ReadonlyMap<string, string>,
): Promise<readonly LostName[]> {
  const code = changes.filter(({ path }) => isModuleFile(path));
  if (code.length === 0) return [];
  const { lostNames } = await loadTypeScript();
  return code.flatMap(({ path, after = '' }) =>
    lostNames(normalized(after), nextTexts.get(path) ?? '').map((name) => ({ path, name })),
  );
}

/** The new base of the file. */
function nextText({ path, kind }: ConflictedFile, disk: Disk): string {
  if (kind === 'gone') return '';
  const text = readText(disk, nextBasePath(path));
  if (text !== undefined) return normalized(text);
  throw new UserError('SCF501', `\`${nextBasePath(path)}\` is missing.`, {
    exit: exitCode.environment,
    help: `Restore the file from version control: \`git checkout -- ${nextBasePath(path)}\`.`,
  });
}

function refuseUnknown(paths: readonly string[], open: readonly ConflictedFile[]): void {
  for (const path of paths) {
    const isNamed = matcherOf([path]);
    if (open.some((it) => isNamed(it.path))) continue;
    const those = inTicks(open.map((it) => it.path)).join(', ');
    throw new UserError('SCF516', `No conflict is open in \`${path}\`.`, {
      exit: exitCode.usage,
      help: those === '' ? 'There are no open conflicts.' : `There are open conflicts in ${those}.`,
    });
  }
}

function markersLeft(path: string): UserError {
  return new UserError('SCF507', `\`${path}\` still has conflict markers in it.`, {
    exit: exitCode.conflicts,
    help: 'Edit what is between them, or take a side: `--ours`, `--theirs`.',
  });
}

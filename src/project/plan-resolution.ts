import { exitCode, UserError } from '../errors.ts';
import { inTicks } from '../words.ts';
import { withLineEndingsOf, toUnixLines } from '../merge/line-endings.ts';
import { loadTypeScript } from '../merge/load-typescript.ts';
import { listMarkers, hasMarkers } from '../merge/markers.ts';
import { isModuleFile } from './code-files.ts';
import { type Disk, readOrRefuse, readText } from './disk.ts';
import type { ConflictedFile } from './open-conflicts.ts';
import { hashText, nextBasePath } from './paths.ts';
import { type FileChange, emptyPlan, type Plan } from './plan.ts';
import { planRecordWrites } from './plan/plan-record.ts';
import { importAsProject } from './plan/import-as-project.ts';
import { takeWholeSide } from './plan/merge-file.ts';
import { makeOutcome, type FileOutcome, pickModel } from './plan/outcome.ts';
import { makeMatcher } from './path-patterns.ts';
import type { Project } from './read-project.ts';

export type Resolution = 'ours' | 'theirs' | 'edited';

/** A name that a resolved file uses but only scaffold's text declares. */
export interface UndeclaredName {
  readonly path: string;
  readonly name: string;
}

/**
 * Plans how to resolve the open conflicts of some files, or of all if `paths` is empty. Nothing else updates the base of
 * a file in conflict. Throws a `UserError` if a path has no open conflict (SCF516) or markers are left (SCF507).
 */
export async function planResolution(
  project: Project,
  paths: readonly string[],
  side: Resolution,
): Promise<Plan & { readonly undeclared: readonly UndeclaredName[] }> {
  const { disk, openConflicts, record } = project;
  refuseUnknownPaths(paths, openConflicts);
  const isNamed = makeMatcher(paths);
  const isChosen = ({ path }: ConflictedFile) => paths.length === 0 || isNamed(path);
  const chosen = openConflicts.filter(isChosen);
  const outcomes = await Promise.all(chosen.map((it) => resolveFile(it, side, disk)));
  const nextTexts = new Map(chosen.map((it) => [it.path, nextText(it, disk)]));
  const resolved = outcomes.flatMap(({ change }) => change ?? []);
  const changes = await importAsProject(resolved, project, nextTexts);
  const kept = Object.entries(record.files)
    .filter(([path]) => !nextTexts.has(path))
    .map(([path, file]) => ({ path, status: 'kept', recorded: file }) as const);
  const writes = {
    former: record,
    record,
    outcomes: [...kept, ...outcomes],
    open: openConflicts.filter((it) => !isChosen(it)),
    others: new Map(chosen.map(({ path }) => [nextBasePath(path), undefined])),
  };
  const undeclared = await listUndeclaredNamesIn(changes, nextTexts);
  return { ...emptyPlan, changes, undeclared, recordWrites: planRecordWrites(writes, disk) };
}

async function resolveFile(
  open: ConflictedFile,
  side: Resolution,
  disk: Disk,
): Promise<FileOutcome> {
  const { path, kind, file } = open;
  const found = readOrRefuse(disk, path);
  const next = nextText(open, disk);
  const isForgotten = kind === 'gone' && (side === 'theirs' || !found);
  const moved = { recorded: { ...file, base: hashText(next) }, base: next };
  const forRecord = isForgotten ? {} : kind === 'gone' ? { recorded: file } : moved;
  // Deleting the file resolves its conflicts too.
  if (!found) return { path, status: 'deleted', ...forRecord };
  const { text: before, mode } = found;
  const change = {
    path,
    ...pickModel(file),
    before,
    mode,
    reason: sideReason[side],
    conflicts: [],
  };
  if (isForgotten) return makeOutcome({ ...change, action: 'delete' });
  const after = await resolvedText(open, side, before, next);
  if (hasMarkers(toUnixLines(after))) throw markersLeftError(path);
  const lines = listMarkers(toUnixLines(before));
  const resolved = open.conflicts.flatMap((it, at) => {
    const line = lines[at];
    return line === undefined ? [] : [{ ...it, line }];
  });
  const action = after === before ? 'adopt' : 'update';
  return makeOutcome({ ...change, action, after, resolved }, forRecord);
}

const sideReason: Readonly<Record<Resolution, string>> = {
  ours: 'Yours stays.',
  theirs: 'You took scaffold’s version.',
  edited: 'It stays as you edited it.',
};

async function resolvedText(
  { kind, file }: ConflictedFile,
  side: Resolution,
  text: string,
  next: string,
): Promise<string> {
  if (side === 'edited') return text;
  if (kind === 'added') return side === 'ours' ? text : withLineEndingsOf(text, next);
  const whole = await takeWholeSide(file.kind, toUnixLines(text), side, next);
  return withLineEndingsOf(text, whole);
}

async function listUndeclaredNamesIn(
  changes: readonly FileChange[],
  nextTexts: ReadonlyMap<string, string>,
): Promise<readonly UndeclaredName[]> {
  const code = changes.filter(({ path }) => isModuleFile(path));
  if (code.length === 0) return [];
  const { listUndeclaredNames } = await loadTypeScript();
  return code.flatMap(({ path, after = '' }) =>
    listUndeclaredNames(toUnixLines(after), nextTexts.get(path) ?? '').map((name) => ({
      path,
      name,
    })),
  );
}

/** The new base of the file. */
function nextText({ path, kind }: ConflictedFile, disk: Disk): string {
  if (kind === 'gone') return '';
  const text = readText(disk, nextBasePath(path));
  if (text !== undefined) return toUnixLines(text);
  throw new UserError('SCF501', `\`${nextBasePath(path)}\` is missing.`, {
    exit: exitCode.environment,
    help: `Restore the file from version control: \`git checkout -- ${nextBasePath(path)}\`.`,
  });
}

function refuseUnknownPaths(paths: readonly string[], open: readonly ConflictedFile[]): void {
  for (const path of paths) {
    const isNamed = makeMatcher([path]);
    if (open.some((it) => isNamed(it.path))) continue;
    const those = inTicks(open.map((it) => it.path)).join(', ');
    throw new UserError('SCF516', `No conflict is open in \`${path}\`.`, {
      exit: exitCode.usage,
      help: those === '' ? 'There are no open conflicts.' : `There are open conflicts in ${those}.`,
    });
  }
}

function markersLeftError(path: string): UserError {
  return new UserError('SCF507', `\`${path}\` still has conflict markers in it.`, {
    exit: exitCode.conflicts,
    help: 'Edit what is between them, or take a side: `--ours`, `--theirs`.',
  });
}

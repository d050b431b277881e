import { digestTemplates } from '../../render/template-files.ts';
import { keepBooks } from './bookkeeping.ts';
import { decideFiles } from './decide-files.ts';
import { openDisk, type Disk, refuse } from '../disk.ts';
import type { FileOutcome } from './outcome.ts';
import { importAsProject } from './import-as-project.ts';
import type { NextFiles } from './next-files.ts';
import type { Plan, Change } from '../plan.ts';
import type { Project } from '../read-project.ts';
import { printSnapshot, type Record, recordRun } from '../record.ts';
import { exitCode, UserError } from '../../errors.ts';
import { posix } from 'node:path';
import { findFile, type IsThere, replaceImports, wayTo } from '../relative-imports.ts';

/** Reads the project's files and decides what is written; throws a `UserError` when one of them cannot be. */
export async function planFiles(project: Project, next: NextFiles): Promise<Plan> {
  const disk = openDisk(project.folder);
  const { outcomes: decided, settings } = await decideFiles(project, next, disk);
  refuseMarked(decided);
  const outcomes = reportMoved(decided, project, disk);
  const wanted = [...outcomes.flatMap(({ change }) => change ?? []), ...settings];
  const sorted = wanted.toSorted((left, right) => (left.path < right.path ? -1 : 1));
  const made = new Map(next.rendered.map(({ path, content }) => [path, content]));
  const relocated = relocateImports(sorted, disk);
  const changes = importAsProject(relocated, { folder: project.folder, disk, made });
  refuseBlocked(changes, disk);
  const books = {
    former: project.record,
    record: nextRecord(project, next, outcomes),
    outcomes,
    bases: project.bases ?? new Map(),
    next: made,
    own: next.rendered.filter(({ path }) => path.startsWith('.scaffold/')),
    ...(next.only.length === 0 && { snapshot: printSnapshot(next.app) }),
  };
  return {
    changes,
    kept: count(outcomes, 'kept'),
    unchanged: count(outcomes, 'unchanged'),
    deleted: count(outcomes, 'deleted'),
    left: count(outcomes, 'left'),
    bookkeeping: keepBooks(books, disk),
  };
}

function count(outcomes: readonly FileOutcome[], wanted: FileOutcome['standing']): number {
  return outcomes.filter(({ standing }) => standing === wanted).length;
}

/** A run for a part of the files leaves the schema where it was, for a later run to see. */
function nextRecord(project: Project, next: NextFiles, outcomes: readonly FileOutcome[]): Record {
  const files = outcomes.flatMap(({ path, recorded }) =>
    recorded ? [[path, recorded] as const] : [],
  );
  const { app, schemaText } = next;
  const record = recordRun({ app, files, templates: digestTemplates(), schemaText });
  if (next.only.length === 0) return record;
  const { files: _, ...former } = project.record;
  return { ...record, ...former };
}

/** Throws when a file cannot be written where it goes, before anything is. */
function refuseBlocked(changes: readonly Change[], disk: Disk): void {
  const vacated = new Set(
    changes.flatMap(({ action, from, path }) => (action === 'delete' ? [path] : (from ?? []))),
  );
  for (const change of changes) {
    const { path, from } = change;
    const there = disk(path);
    if (there?.kind === 'obstacle' && change.action !== 'eject') throw refuse(path, there.what);
    if (from !== undefined && there && !vacated.has(path)) {
      throw refuse(path, `a file of yours is there, and \`${from}\` moves to it`);
    }
    for (const place of isWritten(change) ? [path, ...(from ?? [])] : []) {
      const found = disk(place);
      if (found?.kind === 'text' && found.isReadOnly) throw refuse(place, 'it is read-only');
    }
  }
}

function isWritten({ before, after, from }: Change): boolean {
  return before !== after || from !== undefined;
}

/** Throws when files that need a merge have conflict markers in them, from git or from an earlier run. */
function refuseMarked(outcomes: readonly FileOutcome[]): void {
  const marked = outcomes.filter(({ standing }) => standing === 'marked');
  if (marked.length === 0) return;
  const paths = marked.map(({ path }) => `\`${path}\``).join(', ');
  throw new UserError('SCF506', `Conflict markers are in ${paths}.`, {
    exit: exitCode.conflicts,
    help: 'Settle what is between them, and run the command again.',
  });
}

/** A file that moves still finds what its owner imports from beside its former place, which stays where it is. */
export function relocateImports(changes: readonly Change[], disk: Disk): readonly Change[] {
  const isThere = lookAhead(changes, disk);
  const leads = (path: string) => findFile(path, isThere) !== undefined;
  return changes.map((change) => {
    const { path, from, after } = change;
    if (from === undefined || after === undefined || !path.endsWith('.ts')) return change;
    const text = replaceImports(after, (specifier) => {
      const target = posix.join(posix.dirname(from), specifier);
      const isFound = leads(posix.join(posix.dirname(path), specifier)) || !leads(target);
      return isFound ? specifier : wayTo(target, path);
    });
    return { ...change, after: text };
  });
}

/** What the project will have. */
function lookAhead(changes: readonly Change[], disk: Disk): IsThere {
  const written = new Set(changes.flatMap((it) => (it.after === undefined ? [] : [it.path])));
  const left = new Set(
    changes.flatMap(({ path, from, after }) => [from, after === undefined ? path : undefined]),
  );
  return (path) => written.has(path) || (!left.has(path) && disk(path)?.kind === 'text');
}

/** Says of each file that its owner has moved where it comes from, once: what follows it from now on is no news. */
function reportMoved(
  outcomes: readonly FileOutcome[],
  { moved = new Map() }: Project,
  disk: Disk,
): readonly FileOutcome[] {
  return outcomes.map((outcome) => {
    const origin = moved.get(outcome.change?.from ?? outcome.path);
    if (origin === undefined) return outcome;
    const change = outcome.change ?? noticed(outcome, disk);
    const news = reported(change, `You moved it from \`${origin}\`.`);
    return { ...outcome, change: { ...change, ...news, movedFrom: origin } };
  });
}

function noticed({ path, recorded }: FileOutcome, disk: Disk): Change {
  const found = disk(path);
  const text = found?.kind === 'text' ? { before: found.text, after: found.text } : {};
  const model = recorded?.model;
  const facts = { path, ...(model !== undefined && { model }), conflicts: [] };
  const mode = found?.kind === 'text' ? found.mode : '644';
  return { ...facts, action: 'adopt', reason: 'It is followed.', ...text, mode };
}

/** To move it was an edit. */
function reported({ action, reason }: Change, sentence: string): Pick<Change, 'action' | 'reason'> {
  if (action !== 'update') return { action, reason: `${sentence} ${reason}` };
  return { action: 'merge', reason: `${sentence} It has what changed.` };
}

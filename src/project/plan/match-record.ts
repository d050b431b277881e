import { posix } from 'node:path';
import { toUnixLines } from '../../merge/line-endings.ts';
import type { RenderedFile } from '../../render/rendered-file.ts';
import { readText, cannotWrite, type Texts } from '../disk.ts';
import { replaceImports, resolveImport, relativeImport } from '../imports.ts';
import { isSchemaFile, trackedFiles, basePath, hashText } from '../paths.ts';
import type { Project } from '../read-project.ts';
import type { ProjectRecord } from '../record.ts';
import { renderProject } from '../render-project.ts';
import type { BaseOf, FormerFile, MatchedFile } from './outcome.ts';

export interface MatchedFiles {
  readonly matched: readonly MatchedFile[];
  /** Files that the last run made and this one does not make. */
  readonly unmatched: readonly FormerFile[];
  /** Migrations of earlier runs. */
  readonly history: readonly FormerFile[];
}

/** Matches files by id, so that they follow renamed models, or else by path. */
export function matchRecord(
  rendered: readonly RenderedFile[],
  record: Pick<ProjectRecord, 'files'>,
): MatchedFiles {
  const entries = Object.entries(record.files)
    .filter(([path]) => !isSchemaFile(path))
    .map(([path, recorded]): FormerFile => ({ path, recorded }));
  const history = entries.filter(({ recorded }) => recorded.policy === 'appended');
  const alive = entries.filter(({ recorded }) => recorded.policy !== 'appended');
  const files = trackedFiles(rendered);
  const wanted = new Set(files.map(({ id }) => id));
  const byId = new Map(alive.map((it) => [it.recorded.id, it]));
  const byHome = new Map(
    alive.filter(({ recorded }) => !wanted.has(recorded.id)).map((it) => [homePath(it), it]),
  );
  const matched = files.map((file): MatchedFile => {
    const former = byId.get(file.id) ?? byHome.get(file.home ?? file.path);
    return former ? { file, former } : { file };
  });
  const met = new Set(matched.map(({ former }) => former));
  return { matched, unmatched: alive.filter((it) => !met.has(it)), history };
}

/** The path that a file was made for, wherever its owner has moved it. */
export function homePath({ path, recorded }: FormerFile): string {
  return recorded.home ?? path;
}

/** Rendered files at the paths to which their owner has moved them. */
export function placeRendered(
  rendered: readonly RenderedFile[],
  record: Pick<ProjectRecord, 'files'>,
): readonly RenderedFile[] {
  if (Object.values(record.files).every(({ home }) => home === undefined)) return rendered;
  const { matched } = matchRecord(rendered, record);
  const known = new Map(matched.flatMap(trackedPath));
  // Only code is followed to another folder.
  const code = new Map(matched.filter(({ file }) => file.kind === 'ts').flatMap(trackedPath));
  const paths = new Map(
    rendered.map(({ path }) => [path, known.get(path) ?? placeWithFolder(path, code)]),
  );
  refuseTwins(paths);
  return rendered.map((file) => {
    const path = paths.get(file.path) ?? file.path;
    const isHome = path === file.path;
    const content = file.kind === 'ts' ? relocate(file, paths) : file.content;
    return { ...file, path, content, ...(!isHome && { home: file.path }) };
  });
}

/** The path of a tracked file: where it is now, with the names of renamed models in its path replaced. */
function trackedPath({ file, former }: MatchedFile): readonly (readonly [string, string])[] {
  if (former?.recorded.home === undefined) return former ? [[file.path, file.path]] : [];
  const now = file.path.split('/');
  const renamed = new Map(
    former.recorded.home.split('/').map((part, at) => [part, now[at] ?? part]),
  );
  const parts = former.path.split('/').map((part) => renamed.get(part) ?? part);
  return [[file.path, parts.join('/')]];
}

/** The path of a new file: where all others of its folder have been moved. */
function placeWithFolder(path: string, known: ReadonlyMap<string, string>): string {
  for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) {
    const ends = [...known].filter(([home]) => home.startsWith(`${folder}/`));
    const [home = '', now = ''] = ends[0] ?? [];
    if (ends.length === 0) continue;
    const to = now.slice(0, now.length - home.length + folder.length);
    const isGone = ends.every(([from, at]) => at === to + from.slice(folder.length));
    return isGone ? to + path.slice(folder.length) : path;
  }
  return path;
}

/** Throws if a new file would go where the owner has put another one. */
function refuseTwins(paths: ReadonlyMap<string, string>): void {
  const homes = new Map<string, string>();
  for (const [home, path] of paths) {
    const other = homes.get(path);
    homes.set(path, home);
    if (other === undefined) continue;
    const moved = other === path ? home : other;
    throw cannotWrite(path, `it is \`${moved}\`, which you moved there`);
  }
}

/** A rendered text whose imports lead to where the files are. `paths`: where each is now, by its home path. */
export function relocate(
  { path, content }: Pick<RenderedFile, 'path' | 'content'>,
  paths: ReadonlyMap<string, string>,
): string {
  const here = paths.get(path) ?? path;
  return replaceImports(content, (specifier) => {
    const target = resolveImport(specifier, path);
    const now = paths.get(target);
    const isSame = now === target && posix.dirname(here) === posix.dirname(path);
    return now === undefined || isSame ? specifier : relativeImport(now, here);
  });
}

/**
 * Reads what the last run emitted: the stored base or, if it is missing or was edited, what this version renders for
 * that run's schema. Any difference from it counts as the owner's edit. `bases`: texts that replace stored ones.
 */
export function readFormerBases(project: Project, bases: Texts = new Map()): BaseOf {
  let rendered: ReadonlyMap<string, string> | undefined;
  const renderAgain = () =>
    (rendered ??= new Map(
      placeRendered(renderProject(project.app, []), project.record).map(({ id, content }) => [
        id,
        content,
      ]),
    ));
  return ({ path, recorded }) => {
    const moved = bases.get(basePath(path));
    if (moved !== undefined) return moved;
    const kept = readText(project.disk, basePath(path));
    if (kept !== undefined && hashText(kept) === recorded.base) return toUnixLines(kept);
    return renderAgain().get(recorded.id);
  };
}

import { posix } from 'node:path';
import { normalized } from '../../merge/line-endings.ts';
import type { RenderedFile } from '../../render/rendered-file.ts';
import { readText, cannotWrite, type Texts } from '../disk.ts';
import { replaceImports, resolveImport, relativeImport } from '../imports.ts';
import { isSchemaFile, trackedFiles, basePath, hashText } from '../paths.ts';
import type { Project } from '../read-project.ts';
import type { ProjectRecord } from '../record.ts';
import { renderProject } from '../render-project.ts';
import type { BaseOf, FormerFile, Meeting } from './outcome.ts';

export interface Met {
  readonly meetings: readonly Meeting[];
  /** Files that the last run made and this one does not. */
  readonly left: readonly FormerFile[];
  /** A migration, which stays as it is. */
  readonly history: readonly FormerFile[];
}

/** Which file replaces which: by stable id, so that files follow their models, otherwise by path. */
export function meetRecord(
  rendered: readonly RenderedFile[],
  record: Pick<ProjectRecord, 'files'>,
): Met {
  const former = Object.entries(record.files)
    .filter(([path]) => !isSchemaFile(path))
    .map(([path, recorded]): FormerFile => ({ path, recorded }));
  const history = former.filter(({ recorded }) => recorded.policy === 'appended');
  const alive = former.filter(({ recorded }) => recorded.policy !== 'appended');
  const files = trackedFiles(rendered);
  const wanted = new Set(files.map(({ id }) => id));
  const byId = new Map(alive.map((it) => [it.recorded.id, it]));
  const byHome = new Map(
    alive.filter(({ recorded }) => !wanted.has(recorded.id)).map((it) => [homeOf(it), it]),
  );
  const meetings = files.map((file): Meeting => {
    const was = byId.get(file.id) ?? byHome.get(file.home ?? file.path);
    return was ? { file, was } : { file };
  });
  const met = new Set(meetings.map(({ was }) => was));
  return { meetings, left: alive.filter((it) => !met.has(it)), history };
}

export function homeOf({ path, recorded }: FormerFile): string {
  return recorded.home ?? path;
}

/** The files to be made, where their owner has put them. */
export function placeRendered(
  rendered: readonly RenderedFile[],
  record: Pick<ProjectRecord, 'files'>,
): readonly RenderedFile[] {
  if (Object.values(record.files).every(({ home }) => home === undefined)) return rendered;
  const { meetings } = meetRecord(rendered, record);
  const known = new Map(meetings.flatMap(knownPlace));
  // Other files are not followed.
  const code = new Map(meetings.filter(({ file }) => file.kind === 'ts').flatMap(knownPlace));
  const places = new Map(
    rendered.map(({ path }) => [path, known.get(path) ?? besideOthers(path, code)]),
  );
  refuseTwins(places);
  return rendered.map((file) => {
    const path = places.get(file.path) ?? file.path;
    const isHome = path === file.path;
    const content = file.kind === 'ts' ? relocate(file, places) : file.content;
    return { ...file, path, content, ...(!isHome && { home: file.path }) };
  });
}

/** It stays where it is, except that the name of a renamed model in its path is replaced, as it is everywhere else. */
function knownPlace({ file, was }: Meeting): readonly (readonly [string, string])[] {
  if (was?.recorded.home === undefined) return was ? [[file.path, file.path]] : [];
  const now = file.path.split('/');
  const renamed = new Map(was.recorded.home.split('/').map((part, at) => [part, now[at] ?? part]));
  const parts = was.path.split('/').map((part) => renamed.get(part) ?? part);
  return [[file.path, parts.join('/')]];
}

/** A new file goes where all others of its folder have been moved. */
function besideOthers(path: string, known: ReadonlyMap<string, string>): string {
  for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) {
    const ends = [...known].filter(([home]) => home.startsWith(`${folder}/`));
    const [home = '', place = ''] = ends[0] ?? [];
    if (ends.length === 0) continue;
    const to = place.slice(0, place.length - home.length + folder.length);
    const isGone = ends.every(([from, at]) => at === to + from.slice(folder.length));
    return isGone ? to + path.slice(folder.length) : path;
  }
  return path;
}

/** Throws if a new file would go where the owner has put another one. */
function refuseTwins(places: ReadonlyMap<string, string>): void {
  const homes = new Map<string, string>();
  for (const [home, place] of places) {
    const other = homes.get(place);
    homes.set(place, home);
    if (other === undefined) continue;
    const moved = other === place ? home : other;
    throw cannotWrite(place, `it is \`${moved}\`, which you moved there`);
  }
}

/** Where each of our files is now, by the path that it was made for. */
type Places = ReadonlyMap<string, string>;

/** A text of scaffold's, as if all files had been made where their owner has them. */
export function relocate(
  { path, content }: Pick<RenderedFile, 'path' | 'content'>,
  places: Places,
): string {
  const place = places.get(path) ?? path;
  return replaceImports(content, (specifier) => {
    const target = resolveImport(specifier, path);
    const now = places.get(target);
    const isSame = now === target && posix.dirname(place) === posix.dirname(path);
    return now === undefined || isSame ? specifier : relativeImport(now, place);
  });
}

/**
 * What was emitted last: the kept text, or, if that is lost or was edited, what this version makes of the schema of
 * that time. Whatever differs from it counts as the user's. `bases`: those to be rewritten.
 */
export function formerBases(project: Project, bases: Texts = new Map()): BaseOf {
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
    if (kept !== undefined && hashText(kept) === recorded.base) return normalized(kept);
    return renderAgain().get(recorded.id);
  };
}

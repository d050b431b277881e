import { posix } from 'node:path';
import type { RenderedFile } from '../../render/rendered-file.ts';
import { refuse } from '../disk.ts';
import type { Meeting } from '../plan/outcome.ts';
import { meetRecord } from '../plan/meet.ts';
import type { Record } from '../record.ts';
import { replaceImports, wayTo } from '../relative-imports.ts';

/** The files as they are to be, where their owner has put them. */
export function placeRendered(
  rendered: readonly RenderedFile[],
  record: Pick<Record, 'files'>,
): readonly RenderedFile[] {
  if (Object.values(record.files).every(({ home }) => home === undefined)) return rendered;
  const known = new Map(meetRecord(rendered, record).meetings.flatMap(knownPlace));
  const places = new Map(
    rendered.map(({ path }) => [path, known.get(path) ?? besideOthers(path, known)]),
  );
  refuseTwins(places);
  return rendered.map((file) => {
    const path = places.get(file.path) ?? file.path;
    const isHome = path === file.path;
    const content = file.kind === 'ts' ? relocate(file, places) : file.content;
    return { ...file, path, content, ...(!isHome && { home: file.path }) };
  });
}

/** It stays; where its path has the name of a model that is renamed, it gets the new one, as everywhere. */
function knownPlace({ file, was }: Meeting): readonly (readonly [string, string])[] {
  if (was?.recorded.home === undefined) return was ? [[file.path, file.path]] : [];
  const now = file.path.split('/');
  const renamed = new Map(was.recorded.home.split('/').map((part, at) => [part, now[at] ?? part]));
  const parts = was.path.split('/').map((part) => renamed.get(part) ?? part);
  return [[file.path, parts.join('/')]];
}

/** What is new goes where all others of its folder have gone. */
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

/** A file that is new may be meant for where its owner has put another one. */
function refuseTwins(places: ReadonlyMap<string, string>): void {
  const homes = new Map<string, string>();
  for (const [home, place] of places) {
    const other = homes.get(place);
    homes.set(place, home);
    if (other === undefined) continue;
    const moved = other === place ? home : other;
    throw refuse(place, `it is \`${moved}\`, which you moved there`);
  }
}

/** Where each file of ours stands that was made for a path. */
type Places = ReadonlyMap<string, string>;

interface MadeText {
  /** What it was made for. */
  readonly path: string;
  readonly content: string;
}

/** A text that scaffold made, as it would be had it made all files where their owner has them. */
export function relocate({ path, content }: MadeText, places: Places): string {
  const place = places.get(path) ?? path;
  return replaceImports(content, (specifier) => {
    const target = posix.join(posix.dirname(path), specifier);
    const now = places.get(target);
    const isSame = now === target && posix.dirname(place) === posix.dirname(path);
    return now === undefined || isSame ? specifier : wayTo(now, place);
  });
}

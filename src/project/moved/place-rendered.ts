import type { RenderedFile } from '../../render/rendered-file.ts';
import { refuse } from '../disk.ts';
import type { FormerFile } from '../plan/fate.ts';
import { meetRecord } from '../plan/meet.ts';
import type { Record } from '../record.ts';
import { relocate } from './relocate.ts';

/** The files as they are to be, where their owner has put them. */
export function placeRendered(
  rendered: readonly RenderedFile[],
  record: Pick<Record, 'files'>,
): readonly RenderedFile[] {
  if (Object.values(record.files).every(({ home }) => home === undefined)) return rendered;
  const { meetings } = meetRecord(rendered, record);
  const moved = meetings.flatMap(({ file, was }) => {
    const place = was && placeOf(file.path, was);
    return place === undefined ? [] : [[file.path, place] as const];
  });
  const places = new Map([...rendered.map(({ path }) => [path, path] as const), ...moved]);
  refuseTwins(places);
  return rendered.map((file) => {
    const path = places.get(file.path) ?? file.path;
    const isHome = path === file.path;
    const content = file.kind === 'ts' ? relocate(file, places) : file.content;
    return { ...file, path, content, ...(!isHome && { home: file.path }) };
  });
}

/** It stays; where its path has the name of a model that is renamed, it gets the new one, as everywhere. */
function placeOf(path: string, { path: place, recorded }: FormerFile): string | undefined {
  if (recorded.home === undefined) return undefined;
  const now = path.split('/');
  const renamed = new Map(recorded.home.split('/').map((part, at) => [part, now[at] ?? part]));
  const parts = place.split('/').map((part) => renamed.get(part) ?? part);
  return parts.join('/');
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

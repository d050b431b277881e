import { hashText } from '../base.ts';
import { openDisk } from '../disk.ts';
import { formerBases } from '../plan/former-bases.ts';
import type { Project } from '../read-project.ts';
import type { RecordedFile } from '../record.ts';
import { findMoved } from './find-moved.ts';
import { relocate } from './place-rendered.ts';

/**
 * The project as if its last run had made each file where its owner has moved it since; `said`: where they say that it is,
 * by its old path.
 */
export function followMoved(project: Project, said?: ReadonlyMap<string, string>): Project {
  const disk = openDisk(project.folder);
  const { moved, doubts } = findMoved(project, disk, said);
  if (moved.size === 0) return { ...project, doubts };
  const { files } = project.record;
  const places = new Map(Object.keys(files).map((path) => [path, moved.get(path) ?? path]));
  const baseOf = formerBases(project, disk);
  const followed = Object.entries(files).map(([path, recorded]) => {
    const place = moved.get(path) ?? path;
    const content = recorded.kind === 'ts' ? baseOf({ path, recorded }) : undefined;
    const base = content === undefined ? undefined : relocate({ path, content }, places);
    if (base === undefined || (base === content && place === path)) return { place, recorded };
    return { place, base, recorded: moveTo(place, { path, recorded, base }) };
  });
  return {
    ...project,
    doubts,
    record: {
      ...project.record,
      files: Object.fromEntries(followed.map((it) => [it.place, it.recorded])),
    },
    moved: new Map([...moved].map(([from, to]) => [to, from])),
    bases: new Map([
      ...[...moved.keys()].map((path) => [path, undefined] as const),
      ...followed.flatMap(({ place, base }) =>
        base === undefined ? [] : [[place, base] as const],
      ),
    ]),
  };
}

interface Moving {
  readonly path: string;
  readonly recorded: RecordedFile;
  readonly base: string;
}

function moveTo(place: string, { path, recorded, base }: Moving): RecordedFile {
  const { home = path, ...facts } = recorded;
  return { ...facts, base: hashText(base), ...(home !== place && { home }) };
}

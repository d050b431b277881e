import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findProject } from '../project/find-project.ts';
import type { Session } from '../terminal/report.ts';
import { displayPath } from './display-path.ts';
import { schemaFiles } from './find-schema.ts';

/** The project that a place lies in. */
export function projectAround(place: string): string | undefined {
  if (findProject(place)) return place;
  const parent = dirname(place);
  return parent === place ? undefined : projectAround(parent);
}

/** When no folder is named and none is here, the project around the place where we were started: `../..`. */
export function namedOrAround(session: Session, named: string): string {
  const isHere = schemaFiles.some((file) => existsSync(join(session.folder, file)));
  const around = named === '.' && !isHere ? projectAround(session.folder) : undefined;
  return around === undefined ? named : displayPath(session, around);
}

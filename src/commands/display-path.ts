import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { schemaFiles } from '../project/paths.ts';
import { isProject } from '../project/project-folder.ts';
import type { Session } from '../terminal/report.ts';

export function findProjectAround(path: string): string | undefined {
  if (isProject(path)) return path;
  const parent = dirname(path);
  return parent === path ? undefined : findProjectAround(parent);
}

/** The named folder or, if none is named and the current one has no schema, the project around it: `../..`. */
export function chooseFolder(session: Session, named: string): string {
  const isHere = schemaFiles.some((file) => existsSync(join(session.folder, file)));
  const around = named === '.' && !isHere ? findProjectAround(session.folder) : undefined;
  return around === undefined ? named : displayPath(session, around);
}

/** The path of a project's file from a folder, as the user would type it there. */
export function displayPath(
  { folder }: Pick<Session, 'folder'>,
  project: string,
  path = '',
): string {
  return relative(folder, join(project, path)).split(sep).join('/') || '.';
}

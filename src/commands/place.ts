import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve, dirname, relative, sep } from 'node:path';
import { exitCode, UserError } from '../errors.ts';
import type { Session } from '../terminal/report.ts';
import type { Origin } from './schema-text.ts';
import { findProject } from '../project/find-project.ts';

export const schemaFiles: readonly string[] = ['schema.yaml', 'schema.json'];

/** In a folder, the schema at its root; a file is one itself. */
export function findSchema({ folder, command }: Session, path: string): Origin {
  if (path === '-') return { kind: 'stdin' };
  const target = resolve(folder, path);
  if (!statSync(target, { throwIfNoEntry: false })?.isDirectory()) return { kind: 'file', path };
  const [name, other] = schemaFiles.filter((file) => existsSync(join(target, file)));
  if (name && other && hasModels(join(target, other))) {
    throw new UserError('SCF003', `There are both \`${name}\` and \`${other}\` in \`${path}\`.`, {
      exit: exitCode.usage,
      help: `\`${name}\` would be read: remove the one that is not meant.`,
    });
  }
  if (name) return { kind: 'file', path: path === '.' ? name : join(path, name) };
  throw new UserError(
    'SCF003',
    `There is no \`schema.yaml\` and no \`schema.json\` in \`${path}\`.`,
    {
      exit: exitCode.usage,
      help: `Name the folder of a project: \`scaffold ${command} my-api\`.`,
    },
  );
}

/** Other things are called `schema.json`, too. */
function hasModels(file: string): boolean {
  return statSync(file).isFile() && /"models"\s*:/.test(readFileSync(file, 'utf8'));
}

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

/** A file of the project as whoever runs us would type it. */
export function displayPath({ folder }: Session, project: string, path = ''): string {
  return relative(folder, join(project, path)).split(sep).join('/') || '.';
}

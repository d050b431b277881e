import { relative, resolve, sep } from 'node:path';
import { exitCode, UserError } from '../../errors.ts';
import type { Session } from '../../terminal/report.ts';
import { projectAround } from '../project-around.ts';

export interface Conflicted {
  /** Of the project, absolute. */
  readonly folder: string;
  /** Below it, with `/`; empty: everything. */
  readonly paths: readonly string[];
}

/** The project around the named files or folders, or around the place where we were started. */
export function findConflicted({ folder: here }: Session, named: readonly string[]): Conflicted {
  const places = (named.length > 0 ? named : ['.']).map((path) => resolve(here, path));
  const roots = new Set(places.map(projectAround));
  const [folder, another] = roots;
  if (folder === undefined || another !== undefined) {
    throw new UserError(
      'SCF503',
      roots.size > 1
        ? 'These do not belong to one project.'
        : 'This folder is not inside a project.',
      { exit: exitCode.usage, help: 'For example: `scaffold resolve my-api`.' },
    );
  }
  const paths = places.map((place) => relative(folder, place).split(sep).join('/'));
  return { folder, paths: paths.includes('') || named.length === 0 ? [] : paths };
}

/** Whether a path is one of these, or lies below one; among none is everything. */
export function isAmong(places: readonly string[]): (path: string) => boolean {
  return (path) =>
    places.length === 0 || places.some((it) => path === it || path.startsWith(`${it}/`));
}

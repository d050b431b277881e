import { join, relative, sep } from 'node:path';
import type { Session } from '../terminal/report.ts';

/** A file of the project as whoever runs us would type it. */
export function displayPath({ folder }: Session, project: string, path = ''): string {
  return relative(folder, join(project, path)).split(sep).join('/') || '.';
}

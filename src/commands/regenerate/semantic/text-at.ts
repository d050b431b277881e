import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from '../../../project/read-project.ts';
import type { Texts } from '../../../system/mirror.ts';

/** A file as it would be; empty when there is none. */
export function textAt({ folder }: Project, texts: Texts, path: string): string {
  if (texts.has(path)) return texts.get(path) ?? '';
  try {
    return readFileSync(join(folder, path), 'utf8');
  } catch {
    return '';
  }
}

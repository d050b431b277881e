import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashText } from '../../../project/base.ts';
import type { Project } from '../../../project/read-project.ts';
import { listSources } from '../../../system/sources.ts';
import type { Texts } from '../../../system/mirror.ts';

/**
 * What the generator makes type-checks by itself: only together with code of the owner's it may not, and only when
 * something changes that a compiler reads.
 */
export function needsTypeCheck({ folder, record }: Project, texts: Texts): boolean {
  if (![...texts.keys()].some(isRead)) return false;
  return listSources(folder).files.some((path) => {
    if (!isRead(path)) return false;
    const file = record.files[path];
    return file === undefined || hashText(readFileSync(join(folder, path), 'utf8')) !== file.base;
  });
}

function isRead(path: string): boolean {
  return /(?<!\.d)\.[cm]?tsx?$|(?:^|\/)(?:tsconfig[^/]*|package)\.json$/.test(path);
}

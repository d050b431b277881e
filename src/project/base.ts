import { createHash } from 'node:crypto';
import type { RenderedFile } from '../render/rendered-file.ts';

/** Where the exact text that was emitted last is kept, to merge against. */
export function basePath(path: string): string {
  return `.scaffold/base/${path}.base`;
}

export function hashText(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** The files that people may edit or move; what is under `.scaffold/` is the tool's own. */
export function trackedFiles(rendered: readonly RenderedFile[]): readonly RenderedFile[] {
  return rendered.filter(({ path }) => !path.startsWith('.scaffold/'));
}

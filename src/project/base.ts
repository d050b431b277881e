import { createHash } from 'node:crypto';
import { plain } from '../merge/line-endings.ts';
import type { RenderedFile } from '../render/rendered-file.ts';

/** Where the exact text that was emitted last is kept, to merge against. */
export function basePath(path: string): string {
  return `.scaffold/base/${path}.base`;
}

/** The base that a file in conflict gets once it is settled. */
export function nextBasePath(path: string): string {
  return `.scaffold/base/${path}.next`;
}

/** The same for a checkout with other line ends. */
export function hashText(text: string): string {
  return `sha256:${createHash('sha256').update(plain(text)).digest('hex')}`;
}

/**
 * The files that people may edit or move. What is under `.scaffold/` is the tool's own; the schema is theirs alone.
 */
export function trackedFiles(rendered: readonly RenderedFile[]): readonly RenderedFile[] {
  return rendered.filter(({ path }) => !path.startsWith('.scaffold/') && !isSchemaFile(path));
}

/** Records of the first version list it. */
export function isSchemaFile(path: string): boolean {
  return path === 'schema.yaml' || path === 'schema.json';
}

import { createHash } from 'node:crypto';

/** The SHA-256 of a content, in the form used by records, journals and migrations. */
export function digest(content: Buffer | string): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

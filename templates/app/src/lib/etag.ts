import { hash } from 'node:crypto';

/**
 * Names what a row looks like, so that it can be asked for or changed only if it still does (RFC 9110, section 8.8.3).
 * Of a row that is shown in part, the part's name follows that of the whole.
 */
export function etagOf(row: unknown, whole?: string): string {
  const name = hash('sha1', JSON.stringify(row), 'base64url');
  return whole === undefined ? `"${name}"` : `${whole.slice(0, -1)}.${name}"`;
}

/** Whether `If-None-Match` names this very answer; a tag that a proxy has made weak is as good (RFC 9110, section 13.1.2). */
export function namesEtag(header: string, etag: string): boolean {
  return tagsIn(header).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}

/** Whether `If-Match` names the row, be it by what was shown of it. */
export function namesRow(header: string, row: unknown): boolean {
  const whole = etagOf(row).slice(0, -1);
  return tagsIn(header).some(
    (tag) => tag === '*' || tag.split('.', 1)[0]?.replace(/"$/, '') === whole,
  );
}

function tagsIn(header: string): readonly string[] {
  return header.split(',').map((tag) => tag.trim());
}

import { hash } from 'node:crypto';

/**
 * Names the current content of a row, so that a request can depend on it (RFC 9110, section 8.8.3). For a row that is
 * shown in part, the name of the part follows that of the whole.
 */
export function etagOf(row: unknown, whole?: string): string {
  const name = hash('sha1', JSON.stringify(row), 'base64url');
  return whole === undefined ? `"${name}"` : `${whole.slice(0, -1)}.${name}"`;
}

/** Whether `If-None-Match` names this very answer. A tag that a proxy made weak counts (RFC 9110, section 13.1.2). */
export function namesEtag(header: string, etag: string): boolean {
  return tagsIn(header).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}

/** Whether `If-Match` names the row, whether it was shown whole or in part. */
export function namesRow(header: string, row: unknown): boolean {
  const whole = etagOf(row).slice(0, -1);
  return tagsIn(header).some(
    (tag) => tag === '*' || tag.split('.', 1)[0]?.replace(/"$/, '') === whole,
  );
}

function tagsIn(header: string): readonly string[] {
  return header.split(',').map((tag) => tag.trim());
}

import { hash } from 'node:crypto';

/** Names what a row looked like, so that it can be asked for or changed only if it still does (RFC 9110, section 8.8.3). */
export function etagOf(row: unknown): string {
  return `"${hash('sha1', JSON.stringify(row), 'base64url')}"`;
}

/** Whether `If-Match` or `If-None-Match` names the row. */
export function namesEtag(header: string, etag: string): boolean {
  return header.split(',').some((it) => it.trim() === '*' || it.trim() === etag);
}

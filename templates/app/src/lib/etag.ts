import { hash } from 'node:crypto';

/** Names what a row looked like, so that it can be asked for or changed only if it still does (RFC 9110, section 8.8.3). */
export function etagOf(row: unknown): string {
  return `"${hash('sha1', JSON.stringify(row), 'base64url')}"`;
}

/** Whether `If-Match` names the row. */
export function namesEtag(header: string, etag: string): boolean {
  return header.split(',').some((it) => it.trim() === '*' || it.trim() === etag);
}

/** Whether `If-None-Match` does: there a tag that a proxy has made weak is as good (RFC 9110, section 13.1.2). */
export function namesEtagWeakly(header: string, etag: string): boolean {
  return namesEtag(header.replaceAll('W/"', '"'), etag);
}

import { createHash } from 'node:crypto';

/** Of the text, not of the bytes: line ends may differ between checkouts. */
export function checksum(text: string): string {
  const lines = text.replaceAll('\r\n', '\n');
  return `sha256:${createHash('sha256').update(lines).digest('hex')}`;
}

import { createHash } from 'node:crypto';

/** PostgreSQL silently cuts longer names, so that two could become equal. */
const longestName = 63;

/** `posts_author_id_slug_unique`. A longer name is cut and gets a hash of the whole: `…_1a2b3c4d_unique`. */
export function databaseName(parts: readonly string[], suffix?: string): string {
  const ending = suffix === undefined ? '' : `_${suffix}`;
  const whole = parts.join('_') + ending;
  if (Buffer.byteLength(whole) <= longestName) return whole;
  const hash = shortHash(whole);
  const room = longestName - Buffer.byteLength(ending) - hash.length - 1;
  return `${cutToBytes(parts.join('_'), room)}_${hash}${ending}`;
}

export const shortHash = (text: string) =>
  createHash('sha256').update(text).digest('hex').slice(0, 8);

function cutToBytes(text: string, bytes: number): string {
  let cut = '';
  for (const character of text) {
    if (Buffer.byteLength(cut + character) > bytes) break;
    cut += character;
  }
  return cut;
}

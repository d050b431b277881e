import { createHash } from 'node:crypto';

/** PostgreSQL cuts longer identifiers silently, and two that differ only at the end become one. */
const longest = 63;

/**
 * `posts_author_id_slug_unique`. What would be too long is cut, and says so by a hash of the whole:
 * `…_1a2b3c4d_unique`.
 */
export function identifier(parts: readonly string[], suffix?: string): string {
  const ending = suffix === undefined ? '' : `_${suffix}`;
  const whole = parts.join('_') + ending;
  if (Buffer.byteLength(whole) <= longest) return whole;
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, 8);
  const room = longest - Buffer.byteLength(ending) - hash.length - 1;
  return `${cutToBytes(parts.join('_'), room)}_${hash}${ending}`;
}

function cutToBytes(text: string, bytes: number): string {
  let cut = '';
  for (const character of text) {
    if (Buffer.byteLength(cut + character) > bytes) break;
    cut += character;
  }
  return cut;
}

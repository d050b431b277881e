import { randomBytes } from 'node:crypto';

let lastTime = 0;
let lastCount = 0;

/**
 * Milliseconds, and a counter of 4096 numbers within each, so that new ids of a process sort last. When the counter is
 * used up, the time runs ahead.
 */
export function nextMoment(): { readonly time: number; readonly count: number } {
  const time = Math.max(Date.now(), lastTime);
  lastCount = time === lastTime ? lastCount + 1 : 0;
  lastTime = lastCount > 0xfff ? time + 1 : time;
  lastCount &= 0xfff;
  return { time: lastTime, count: lastCount };
}

/** A version 7 uuid (RFC 9562, sections 5.7 and 6.2): 48 bits of time, a counter of 12 bits, then random ones. */
export function newUuid(): string {
  const { time, count } = nextMoment();
  const bytes = randomBytes(16);
  bytes.writeUIntBE(time, 0, 6);
  bytes.writeUInt16BE(0x7000 | count, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

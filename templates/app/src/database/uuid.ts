import { randomBytes } from 'node:crypto';

let lastTime = 0;
let lastCount = 0;

/**
 * A version 7 uuid (RFC 9562, sections 5.7 and 6.2): 48 bits of time, 12 that count those of one millisecond, then
 * random ones, so new ids of a process sort last. When they are counted out, the time goes ahead.
 */
export function newUuid(): string {
  const time = Math.max(Date.now(), lastTime);
  lastCount = time === lastTime ? lastCount + 1 : 0;
  lastTime = lastCount > 0xfff ? time + 1 : time;
  lastCount &= 0xfff;
  const bytes = randomBytes(16);
  bytes.writeUIntBE(lastTime, 0, 6);
  bytes.writeUInt16BE(0x7000 | lastCount, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

import { randomBytes } from 'node:crypto';
import { notFound } from './problem.ts';

export type Id = number | string;

/** The integer id in a path. Only its canonical form names a row: `01`, `1.0` and `1e3` are not found. */
export function parseId(text: string): number {
  const id = Number(text);
  if (!/^[1-9]\d{0,15}$/.test(text) || !Number.isSafeInteger(id)) throw notFound();
  return id;
}

/** The uuid in a path, in lower case only, so that a row has one address. */
export function parseUuid(text: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) throw notFound();
  return text;
}

/** A version 7 uuid (RFC 9562, section 5.7): 48 bits of time, then random ones, so new ids sort last. */
export function newUuid(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

import { Type } from 'typebox';
import { isText } from '../database/values.ts';

/** bcrypt reads no further, so what is longer is refused rather than cut. */
const maxBytes = 72;

/** A new password. How long it must be is a setting: `plugins/validation.ts`. */
export const Password = Type.String({
  format: 'password',
  description: `At least 8 characters, at most ${maxBytes} bytes.`,
});

export function isAcceptablePassword(password: string, minLength: number): boolean {
  return (
    [...password].length >= minLength && Buffer.byteLength(password) <= maxBytes && isText(password)
  );
}

import { createSigner, createVerifier } from 'fast-jwt';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { AuthConfig } from '../config.ts';
import { User } from '../users/schema.ts';

const Claims = Type.Object({
  /** The email, for those who read the token. */
  sub: Type.String(),
  type: Type.Union([Type.Literal('access'), Type.Literal('refresh')]),
  uid: User.properties.id,
  /** The session: one login. */
  sid: Type.String(),
  jti: Type.String(),
  iat: Type.Integer(),
  exp: Type.Integer(),
  /** Version of the user's tokens; older ones are void. */
  tv: Type.Integer(),
});

export type Claims = Static<typeof Claims>;

export interface Tokens {
  /** The same claims always make the same token. */
  sign(claims: Claims): string;
  /** `undefined` for whatever is not a live token of this type, signed here. */
  verify(token: string, type: Claims['type']): Claims | undefined;
}

const maxLength = 4096;
const clockSkewSeconds = 60;

export function openTokens({ secretKey, algorithm }: AuthConfig): Tokens {
  const sign = createSigner({ key: secretKey, algorithm });
  const verify = createVerifier({ key: secretKey, algorithms: [algorithm], cache: false });
  const claims = Compile(Claims);
  const signatureBytes = Number(algorithm.slice(2)) / 8;

  return {
    sign,
    verify(token, type) {
      if (!isCanonical(token, signatureBytes)) return undefined;
      const payload = attempt(() => verify(token));
      if (!claims.Check(payload) || payload.type !== type) return undefined;
      return payload.iat <= Date.now() / 1000 + clockSkewSeconds ? payload : undefined;
    },
  };
}

/**
 * A token has one spelling. Libraries let others pass: padding, stray bits in the last character, repeated names,
 * numbers like `1e999`, header parameters that ask for another key.
 */
function isCanonical(token: string, signatureBytes: number): boolean {
  if (token.length > maxLength) return false;
  const parts = token.split('.').map(decode);
  const [header, payload, signature] = parts;
  if (parts.length !== 3 || !header || !payload || !signature) return false;
  return (
    signature.length === signatureBytes &&
    isObjectOf(['alg', 'typ'], header) &&
    isObjectOf(Object.keys(Claims.properties), payload)
  );
}

function decode(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.toString('base64url') === part ? bytes : undefined;
}

/** Printed as `JSON.stringify` does, and of no other names. */
function isObjectOf(names: readonly string[], json: Buffer): boolean {
  const value: unknown = attempt(() => JSON.parse(json.toString()));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const isKnown = Object.keys(value).every((name) => names.includes(name));
  return isKnown && json.equals(Buffer.from(JSON.stringify(value)));
}

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch {
    return undefined;
  }
}

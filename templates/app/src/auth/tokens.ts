import { createSigner, createVerifier } from 'fast-jwt';
import type { AuthConfig } from '../config.ts';
import type { Resource } from '../lib/resource.ts';
import { users, type UserId } from '../users/schema.ts';

export interface Claims {
  /** The email, for those who read the token. */
  readonly sub: string;
  readonly type: 'access' | 'refresh';
  readonly uid: UserId;
  /** The session: one login. */
  readonly sid: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
  /** Version of the user's tokens; older ones are void. */
  readonly tv: number;
}

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
  const signatureBytes = Number(algorithm.slice(2)) / 8;

  return {
    sign,
    verify(token, type) {
      if (!isCanonical(token, signatureBytes)) return undefined;
      const claims = attempt(() => verify(token));
      if (!isClaims(claims) || claims.type !== type) return undefined;
      return claims.iat <= Date.now() / 1000 + clockSkewSeconds ? claims : undefined;
    },
  };
}

const isText = (value: unknown) => typeof value === 'string';

const isIdOf = ({ id }: Resource) => (id === 'int' ? Number.isSafeInteger : isText);

const claimChecks: Readonly<Record<keyof Claims, (value: unknown) => boolean>> = {
  sub: isText,
  type: isText,
  uid: isIdOf(users),
  sid: isText,
  jti: isText,
  iat: Number.isSafeInteger,
  exp: Number.isSafeInteger,
  tv: Number.isSafeInteger,
};

function isClaims(value: unknown): value is Claims {
  if (typeof value !== 'object' || value === null) return false;
  const claims = new Map<string, unknown>(Object.entries(value));
  return Object.entries(claimChecks).every(([name, isGood]) => isGood(claims.get(name)));
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
    isObjectOf(Object.keys(claimChecks), payload)
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

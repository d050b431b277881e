import { createSigner, createVerifier } from 'fast-jwt';
import type { Config } from '../config.ts';
import { isText as isStorable } from '../database/values.ts';
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

export function openTokens({ secretKey, algorithm }: Config['auth']): Tokens {
  const sign = createSigner({ key: secretKey, algorithm });
  const verify = createVerifier({ key: secretKey, algorithms: [algorithm], cache: false });
  const signatureBytes = Number(algorithm.slice(2)) / 8;
  const [ownHeader] = sign({}).split('.');

  /** A token has one spelling. Libraries let others pass: padding, stray bits in the last character, other headers. */
  const isOwnSpelling = (token: string) => {
    const [header, payload, signature, ...rest] = token.slice(0, maxLength).split('.');
    if (header !== ownHeader || !payload || !signature || rest.length > 0) return false;
    const bytes = Buffer.from(signature, 'base64url');
    return bytes.length === signatureBytes && bytes.toString('base64url') === signature;
  };

  return {
    sign,
    verify(token, type) {
      if (!isOwnSpelling(token)) return undefined;
      const claims = attempt(() => verify(token));
      if (!isClaims(claims) || claims.type !== type) return undefined;
      return claims.iat <= Date.now() / 1000 + clockSkewSeconds ? claims : undefined;
    },
  };
}

const isText = (value: unknown) => typeof value === 'string' && isStorable(value);
const isInt32 = (value: unknown) => Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31;
const isUuid = (value: unknown) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(String(value));

const claimChecks: Readonly<Record<keyof Claims, (value: unknown) => boolean>> = {
  sub: isText,
  type: isText,
  uid: ({ int: Number.isSafeInteger, uuid: isUuid } as const)[users.id],
  sid: isUuid,
  jti: isText,
  iat: Number.isSafeInteger,
  exp: Number.isSafeInteger,
  tv: isInt32,
};

function isClaims(value: unknown): value is Claims {
  if (typeof value !== 'object' || value === null) return false;
  const claims = new Map<string, unknown>(Object.entries(value));
  return Object.entries(claimChecks).every(([name, isGood]) => isGood(claims.get(name)));
}

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch {
    return undefined;
  }
}

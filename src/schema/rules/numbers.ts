/** A decimal number without loss: `digits / 10^scale`. */
export interface Exact {
  readonly digits: bigint;
  readonly scale: number;
}

const decimal = /^(-?)(\d{1,400})(?:\.(\d{1,400}))?$/;

export function exactly(text: string): Exact | undefined {
  const [, sign, whole, fraction = ''] = decimal.exec(text) ?? [];
  if (sign === undefined || whole === undefined) return undefined;
  const significant = fraction.replace(/0+$/, '');
  const digits = BigInt(whole + significant);
  return { digits: sign === '-' ? -digits : digits, scale: significant.length };
}

/** Negative when `left` is less, as sorting functions have it. */
function compareExact(left: Exact, right: Exact): number {
  const scale = Math.max(left.scale, right.scale);
  const difference = scaleTo(left, scale) - scaleTo(right, scale);
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

export function isLess(left: string, right: string): boolean {
  const [one, other] = [exactly(left), exactly(right)];
  return one !== undefined && other !== undefined && compareExact(one, other) < 0;
}

function scaleTo({ digits, scale }: Exact, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - scale);
}

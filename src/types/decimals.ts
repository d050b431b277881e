const written = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i;

/** `1.5` at scale 2 → `150n`, never by way of a float; undefined when the text is not a number. */
export function scaleDecimal(text: string, scale: number): bigint | undefined {
  const match = written.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  if (whole + fraction === '') return undefined;
  const digits = BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`);
  const shift = scale - fraction.length + Number(exponent);
  return shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
}

/** `150n` at scale 2 → `1.50`. */
export function formatScaled(scaled: bigint, scale: number): string {
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(scale + 1, '0');
  const sign = scaled < 0n ? '-' : '';
  const whole = digits.slice(0, digits.length - scale);
  return scale === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-scale)}`;
}

/** A decimal number without loss: `digits / 10^scale`. */
interface Exact {
  readonly digits: bigint;
  readonly scale: number;
}

const plainDigits = /^(-?)(\d{1,400})(?:\.(\d{1,400}))?$/;

/** Undefined when it is not a number in plain digits; as few of them behind the point as can be. */
export function exactly(text: string): Exact | undefined {
  const [, sign, whole, fraction = ''] = plainDigits.exec(text) ?? [];
  if (sign === undefined || whole === undefined) return undefined;
  const significant = fraction.replace(/0+$/, '');
  const digits = BigInt(whole + significant);
  return { digits: sign === '-' ? -digits : digits, scale: significant.length };
}

export function isLess(left: string, right: string): boolean {
  const [one, other] = [exactly(left), exactly(right)];
  if (one === undefined || other === undefined) return false;
  const scale = Math.max(one.scale, other.scale);
  return scaleTo(one, scale) < scaleTo(other, scale);
}

function scaleTo({ digits, scale }: Exact, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - scale);
}

import { createHash } from 'node:crypto';

export interface Sum {
  readonly rows: number;
  /** The same for the same rows, in whatever order. */
  readonly checksum: string;
}

const modulus = 2n ** 128n;

/** The hashes of rows, added up. */
export function startSum() {
  let [rows, sum] = [0, 0n];
  return {
    add(row: readonly (string | null)[]): void {
      const hash = createHash('sha256').update(JSON.stringify(row)).digest('hex').slice(0, 32);
      rows += 1;
      sum = (sum + BigInt(`0x${hash}`)) % modulus;
    },
    result(): Sum {
      return { rows, checksum: sum.toString(16).padStart(32, '0') };
    },
  };
}

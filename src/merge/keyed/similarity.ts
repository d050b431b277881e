/** The share of the tokens of two texts that they have in common: from 0 to 1. */
export function similarity(left: readonly string[], right: readonly string[]): number {
  const rest = new Map<string, number>();
  for (const token of right) rest.set(token, (rest.get(token) ?? 0) + 1);
  const shared = left.filter((token) => {
    const count = rest.get(token) ?? 0;
    rest.set(token, count - 1);
    return count > 0;
  });
  return (2 * shared.length) / Math.max(1, left.length + right.length);
}

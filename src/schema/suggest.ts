const limit = 20;

/** `did you mean …? one of: a, b, c`: the nearest valid name first, then the valid ones. */
export function suggest(written: string, names: readonly string[], lead = 'one of'): string {
  const valid = [...new Set(names)];
  const nearest = findNearest(written, valid);
  const list = valid.length === 0 ? '' : `${lead}: ${listNames(valid)}`;
  if (nearest === undefined) return list;
  const meant = `did you mean \`${nearest}\`?`;
  return valid.length === 1 ? meant : `${meant} ${list}`;
}

/** Lists at most twenty names, then `…`. */
export function listNames(names: readonly string[]): string {
  return names.length > limit ? `${names.slice(0, limit).join(', ')}, …` : names.join(', ');
}

/** The candidate with the fewest typing errors; undefined if there are too many. */
export function findNearest(written: string, candidates: readonly string[]): string | undefined {
  const folded = candidates.find((candidate) => candidate.toLowerCase() === written.toLowerCase());
  if (folded !== undefined) return folded;
  let nearest: string | undefined;
  let best = Infinity;
  for (const candidate of candidates) {
    // People get the first letter right.
    const round =
      written[0]?.toLowerCase() === candidate[0]?.toLowerCase() ? Math.round : Math.floor;
    const reach = Math.max(1, round(written.length / 3));
    if (Math.abs(written.length - candidate.length) > reach) continue;
    const distance = slipsBetween(written, candidate);
    if (distance <= reach && distance < best) [nearest, best] = [candidate, distance];
  }
  return nearest;
}

/** Insertions, deletions, replacements and swaps of neighbours. A wrong case counts half. */
export function slipsBetween(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    for (let j = 1; j <= right.length; j++) {
      const swap = left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      row.push(
        Math.min(
          at(last, j) + 1,
          at(row, j - 1) + 1,
          at(last, j - 1) + weighSwap(left[i - 1], right[j - 1]),
          swap && i > 1 && j > 1 ? at(beforeLast, j - 2) + 1 : Infinity,
        ),
      );
    }
    [beforeLast, last] = [last, row];
  }
  return at(last, right.length);
}

const at = (row: readonly number[], index: number) => row[index] ?? Infinity;

function weighSwap(left: string | undefined, right: string | undefined): number {
  if (left === right) return 0;
  return left?.toLowerCase() === right?.toLowerCase() ? 0.5 : 1;
}

/** `titel` is unknown; did you mean `title`? Allowed: body, title */
export function unknownName(word: string, allowed: readonly string[]): string {
  const guess = nearest(word, allowed);
  const hint = guess === undefined ? '.' : `; did you mean \`${guess}\`?`;
  const list = allowed.length === 0 ? 'Nothing is allowed here.' : `Allowed: ${allowed.join(', ')}`;
  return `\`${word.slice(0, maxLength)}\` is unknown${hint} ${list}`;
}

function nearest(word: string, candidates: readonly string[]): string | undefined {
  const close = candidates
    .map((candidate) => ({ candidate, distance: distance(word.slice(0, maxLength), candidate) }))
    .filter((it) => it.distance <= Math.ceil(it.candidate.length / 3))
    .toSorted((a, b) => a.distance - b.distance);
  return close[0]?.candidate;
}

const maxLength = 64;

/** Levenshtein: the fewest insertions, deletions and replacements. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

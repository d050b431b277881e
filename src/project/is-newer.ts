/** Whether one version comes after another; a pre-release counts as the version that it leads to. */
export function isNewer(version: string, than: string): boolean {
  const [left, right] = [numbersOf(version), numbersOf(than)];
  const at = left.findIndex((number, index) => number !== (right[index] ?? 0));
  return at >= 0 && (left[at] ?? 0) > (right[at] ?? 0);
}

function numbersOf(version: string): readonly number[] {
  return version.split('-', 1).flatMap((text) => text.split('.').map((part) => Number(part) || 0));
}

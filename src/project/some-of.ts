/** The first three. */
export function someOf(paths: readonly string[]): string {
  const [more, shown] = [paths.length - 3, paths.slice(0, 3)];
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}` : shown.join('');
}

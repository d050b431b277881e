/** `startsAt`, `starts_at` → `starts at`: for patterns that look at words. */
export function lowerWords(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
}

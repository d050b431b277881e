/** The nearest name that an app may have; empty when there is nothing to make one of. */
export function appNameLike(text: string): string {
  const plain = text.normalize('NFD').replaceAll(/\p{Nonspacing_Mark}/gu, '');
  const words = plain.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, 100);
}

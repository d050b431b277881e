/** The nearest valid name of an app; empty if no character is valid. */
export function appNameLike(text: string): string {
  const plain = text.normalize('NFD').replaceAll(/\p{Nonspacing_Mark}/gu, '');
  const words = plain.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, 100);
}

import { withoutAccents } from '../naming/name.ts';

/** The nearest valid name of an app; empty if no character is valid. */
export function appNameLike(text: string): string {
  const words = withoutAccents(text.toLowerCase()).match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, 100);
}

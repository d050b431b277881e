export function listWords(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_$]+/gu) ?? [];
}

export function countEach<Text extends string>(texts: readonly Text[]): ReadonlyMap<Text, number> {
  const counts = new Map<Text, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** `1 file`, `2 files` */
export function printCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `a, b, c and 2 more` */
export function listFirst(names: readonly string[], most = 3): string {
  const more = names.length - most;
  return names.slice(0, most).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The same in a sentence: `a and b`. */
export function joinWithAnd(names: readonly string[]): string {
  const isShort = names.length === 2 || names.length === 3;
  return isShort ? `${listFirst(names.slice(0, -1))} and ${names.at(-1)}` : listFirst(names);
}

export function inTicks(names: readonly string[]): readonly string[] {
  return names.map((name) => `\`${name}\``);
}

/** One word of a POSIX shell command. */
export function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The form in which texts are compared: `\n` as line ends, and no byte-order mark. */
export function toUnixLines(text: string): string {
  const unmarked = text.startsWith('\uFEFF') ? text.slice(1) : text;
  return unmarked.includes('\r') ? unmarked.replaceAll('\r\n', '\n') : unmarked;
}

/** A normalized text with the line endings, the byte-order mark and the final newline of ours. */
export function withLineEndingsOf(ours: string, text: string): string {
  const last = ours.endsWith('\n') ? `${text.replace(/\n+$/, '')}\n` : text.replace(/\n$/, '');
  const broken = isWithReturns(ours) ? last.replaceAll('\n', '\r\n') : last;
  return ours.startsWith('\uFEFF') ? `\uFEFF${broken}` : broken;
}

/** Whether most lines end with `\r\n`. */
function isWithReturns(text: string): boolean {
  if (!text.includes('\r')) return false;
  return text.split('\r\n').length - 1 > countLineEnds(text) / 2;
}

export function countLineEnds(text: string): number {
  return text.split('\n').length - 1;
}

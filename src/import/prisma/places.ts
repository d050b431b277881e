/** The parser keeps no lines of fields: a name stands once in its block, at the beginning of a line. */
export function placeFinder(text: string, file: string) {
  const lines = new Map<string, number>();
  let block = '';
  for (const [index, line] of text.split('\n').entries()) {
    const opened = /^\s*(?:model|enum|view|type)\s+(\w+)/.exec(line)?.[1];
    const member = /^\s*(@@\w+|\w+)/.exec(line)?.[1];
    if (opened !== undefined) block = opened;
    const key = opened === undefined ? `${block}.${member}` : opened;
    if (member !== undefined && !lines.has(key)) lines.set(key, index + 1);
  }
  return (name: string, member?: string): string =>
    `${file}:${lines.get(member === undefined ? name : `${name}.${member}`) ?? lines.get(name) ?? 1}`;
}

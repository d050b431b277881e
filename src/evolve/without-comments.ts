/** Whoever adds a remark to a script has not edited it; the lines that say how it is run are not remarks. */
export function withoutComments(sql: string): string {
  const lines = sql.split('\n').map((line) => line.trimEnd());
  return lines.filter((line) => line !== '' && !remark.test(line)).join('\n');
}

const remark = /^--(?! step | then )/;

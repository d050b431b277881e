/** Adding a comment is not an edit; the lines that tell the runner how to run a step are not comments. */
export function withoutComments(sql: string): string {
  const lines = sql.split('\n').map((line) => line.trimEnd());
  return lines.filter((line) => line !== '' && !remark.test(line)).join('\n');
}

const remark = /^--(?! step | then )/;

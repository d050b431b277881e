/** Rows of cells with straight columns, in characters; the first one is the header, the second a rule, `---`. */
export function printTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(3, ...rows.map((cells) => [...(cells[column] ?? '')].length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => padCell(cell, widths[column] ?? 3)).join(' | ')} |`;
  return rows.map(line).join('\n');
}

function padCell(cell: string, width: number): string {
  if (!isRule(cell)) return cell + ' '.repeat(Math.max(0, width - [...cell].length));
  const [start, end] = [cell.startsWith(':') ? ':' : '', cell.endsWith(':') ? ':' : ''];
  return start + '-'.repeat(width - start.length - end.length) + end;
}

/** What stands below a heading. */
export function isRule(cell: string): boolean {
  return /^:?-+:?$/.test(cell);
}

import { displayWidth } from './display-width.ts';

/** Prints a table with aligned columns. The first row is the header, and the second row is a rule: `---`. */
export function printTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(3, ...rows.map((cells) => displayWidth(cells[column] ?? ''))),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => padCell(cell, widths[column] ?? 3)).join(' | ')} |`;
  return rows.map(line).join('\n');
}

function padCell(cell: string, width: number): string {
  if (!isRule(cell)) return cell + ' '.repeat(Math.max(0, width - displayWidth(cell)));
  const [start, end] = [cell.startsWith(':') ? ':' : '', cell.endsWith(':') ? ':' : ''];
  return start + '-'.repeat(width - start.length - end.length) + end;
}

export function isRule(cell: string): boolean {
  return /^:?-+:?$/.test(cell);
}

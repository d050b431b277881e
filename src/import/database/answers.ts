export type Ask = (sql: string) => Promise<readonly AnswerRow[]>;

export interface AnswerRow {
  readonly [column: string]: unknown;
}

export const textIn = (row: AnswerRow, name: string): string => String(row[name] ?? '');

export function textOrNone(row: AnswerRow, name: string): string | undefined {
  const value = row[name];
  return value === null || value === undefined ? undefined : String(value);
}

export const isTrue = (row: AnswerRow, name: string) => row[name] === true || Number(row[name]) > 0;

export type Ask = (sql: string) => Promise<readonly Answer[]>;

export interface Answer {
  readonly [column: string]: unknown;
}

export const textIn = (row: Answer, name: string): string => String(row[name] ?? '');

export function textOrNone(row: Answer, name: string): string | undefined {
  const value = row[name];
  return value === null || value === undefined ? undefined : String(value);
}

export const isSet = (row: Answer, name: string) => row[name] === true || Number(row[name]) > 0;

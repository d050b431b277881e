/** Runs a query whose columns have the shape of `Row`. Null values are left out. */
export type Ask = <Row extends object>(sql: string) => Promise<readonly Row[]>;

type AskRaw = (sql: string) => Promise<readonly object[]>;

export function askWith(rows: AskRaw): Ask;
export function askWith(rows: AskRaw): AskRaw {
  return async (sql) =>
    (await rows(sql)).map((row) =>
      Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
    );
}

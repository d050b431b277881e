import { types, type CustomTypesConfig } from 'pg';

/** Values as the API shows them, where that differs from what `pg` makes of them. */
const parsers: { readonly [oid: number]: (text: string) => unknown } = {
  [types.builtins.TIMESTAMPTZ]: (text) => new Date(text).toISOString(),
  [types.builtins.DATE]: (text) => text,
  // `09:30:00.5` → `09:30:00.500`
  [types.builtins.TIME]: (text) => (text.includes('.') ? text : `${text}.`).padEnd(12, '0'),
  [types.builtins.INT8]: integer,
  [types.builtins.BYTEA]: (text) => Buffer.from(text.slice(2), 'hex').toString('base64'),
};

export const wireTypes: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    parsers[oid] ?? types.getTypeParser(oid, format),
};

/** Ids and counts are numbers; beyond 2^53, where a number would round, the text stays. */
function integer(text: string): number | string {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
}

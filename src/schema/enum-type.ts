import type { Schema } from './keys/top.ts';

/** The name of an enum's type in the database; undefined if its values are stored as text, as always on SQLite. */
export function findTypeOfEnum(
  name: string,
  { database, storage }: Pick<Schema, 'database' | 'storage'>,
): string | undefined {
  if (database?.value !== 'postgres' || storage?.enums === undefined) return undefined;
  const given = storage.enums.names.find(([of]) => of.value === name)?.[1].value;
  return given === 'text' ? undefined : (given ?? name);
}

/** Types of PostgreSQL, which take precedence over others with the same name. */
export const ownTypes: ReadonlySet<string> = new Set(
  `bit bool box bpchar bytea char cidr circle cid date float4 float8 inet int2 int4 int8 interval json jsonb jsonpath line lseg
  macaddr money name numeric oid path point polygon record refcursor text tid time timestamp timestamptz timetz trigger tsquery
  tsvector uuid varbit varchar void xid xml`.split(/\s+/),
);

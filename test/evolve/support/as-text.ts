import type { Engine } from '../../../src/types/field-type.ts';

interface Type {
  readonly kind: string;
  readonly scale?: number;
}

/** SQL that gives a value as the API sends it, the same on both engines. */
export function asText(column: string, { kind, scale = 0 }: Type, engine: Engine): string {
  if (kind === 'bytes')
    return engine === 'sqlite'
      ? `CASE WHEN ${column} IS NOT NULL THEN lower(hex(${column})) END`
      : `encode(${column}, 'hex')`;
  if (engine === 'postgres') {
    if (kind.endsWith('[]')) return `to_json(${column})::text`;
    if (kind === 'time') return `to_char(${column}, 'HH24:MI:SS.MS')`;
    if (kind !== 'datetime') return `${column}::text`;
    return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  }
  if (kind === 'bool') return `CASE ${column} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`;
  if (kind === 'float')
    return `CASE WHEN ${column} IS NOT NULL THEN printf('%.15g', ${column}) END`;
  if (kind !== 'decimal' || scale === 0) return `CAST(${column} AS text)`;
  const unit = 10 ** scale;
  const sign = `CASE WHEN ${column} < 0 THEN '-' ELSE '' END`;
  const digits = `printf('%s%d.%0${scale}d', ${sign}, abs(${column}) / ${unit}, abs(${column}) % ${unit})`;
  return `CASE WHEN ${column} IS NOT NULL THEN ${digits} END`;
}

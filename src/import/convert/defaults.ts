import { parseJson } from '../../json.ts';
import { type FieldType } from '../../types/field-type.ts';
import type { FoundColumn } from '../catalogue.ts';
import type { Converted } from './column-types.ts';

export function placePoint(digits: string, scale: number): string {
  const plain = digits.replace('-', '').padStart(scale + 1, '0');
  return `${digits.startsWith('-') ? '-' : ''}${plain.slice(0, -scale)}.${plain.slice(-scale)}`;
}

/** The default as a schema writes it, or what is lost. */
export function convertDefault(
  column: FoundColumn,
  { type, scale }: Converted,
): { value?: unknown; lost?: string } {
  const written = column.default?.trim();
  if (written === undefined || column.isCounted || column.isGenerated || /^null\b/i.test(written))
    return {};
  if (/^(?:now\(\)|current_timestamp|\(?datetime\('now'|statement_timestamp\(\))/i.test(written))
    return /^(?:date|datetime|time)$/.test(type.kind) ? { value: 'now' } : unknownDefault(written);
  if (
    /^(?:gen_random_uuid|uuid_generate_v4|uuidv7|uuidv4)\(\)$/.test(written) &&
    type.kind === 'uuid'
  )
    return { value: 'uuid' };
  const value = literalIn(written.replace(/^\((.*)\)$/s, '$1'), type);
  if (value === undefined) return unknownDefault(written);
  return { value: scale === undefined ? value : placePoint(String(value), scale) };
}

const unknownDefault = (written: string) => ({
  lost: `its default, \`${written}\`, is left to whoever creates the row`,
});

function literalIn(written: string, { kind }: FieldType): unknown {
  const plain = written.replace(/(?:::[\w\s"]+(?:\([\d,\s]+\))?(?:\[\])?)+$/, '');
  const [, quoted] = /^E?'((?:[^']|'')*)'$/s.exec(plain) ?? [];
  const [, hex] = /^X'([0-9a-f]*)'$/i.exec(plain) ?? [];
  const text =
    quoted?.replaceAll("''", "'") ??
    (/^-?[\d.]+(?:e[-+]?\d+)?$|^(?:true|false)$/i.test(plain) ? plain : undefined);
  if (kind.endsWith('[]')) return listIn(plain, text, kind);
  if (kind === 'bytes')
    return hex === undefined ? undefined : Buffer.from(hex, 'hex').toString('base64');
  if (text === undefined) return undefined;
  if (kind === 'bool') return text === '1' || text.toLowerCase() === 'true';
  if (kind === 'int' || kind === 'float') return Number(text);
  if (kind === 'json') return parseJson(text);
  if (kind === 'datetime') return momentIn(text);
  return text;
}

/** PostgreSQL writes `2026-01-02 03:04:00+00`. A time without a zone is in UTC. */
function momentIn(text: string): string | undefined {
  const iso = text.replace(' ', 'T');
  const isZoned = /T.*(?:Z|[-+]\d\d(?::\d\d)?)$/.test(iso);
  const moment = new Date(isZoned ? iso.replace(/([-+]\d\d)$/, '$1:00') : `${iso}Z`);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}

function listIn(plain: string, text: string | undefined, kind: string): unknown {
  const items = /^ARRAY\[(.*)\]$/s.exec(plain)?.[1];
  const written = text?.startsWith('{') ? itemsIn(text) : parseJson(text ?? '');
  const all = items === undefined ? written : arrayItems(items, kind);
  if (!Array.isArray(all)) return undefined;
  return kind === 'int[]' ? all.map(Number) : all;
}

/** A number next to a text is part of its type: `'a'::"Level2"`. */
function arrayItems(items: string, kind: string): readonly string[] {
  const found = items.match(kind === 'int[]' ? /-?\d+/g : /'(?:[^']|'')*'/g) ?? [];
  return found.map((it) => it.replace(/^'|'$/g, '').replaceAll("''", "'"));
}

/** `{old,"it's, {so}"}` */
function itemsIn(text: string): readonly string[] {
  const items = text.slice(1, -1).match(/"(?:[^"\\]|\\.)*"|[^,]+/g) ?? [];
  return items.map((it) => it.replace(/^"(.*)"$/s, '$1').replaceAll(/\\(.)/g, '$1'));
}

import { parseJson } from '../../json.ts';
import { findArgument, type PrismaEnum, type PrismaField, type PrismaValue } from './schema.ts';

/** The default in PostgreSQL's words; a function that only Prisma has stays as written. */
export function defaultSql(field: PrismaField, column: ColumnType): string | undefined {
  const value = findArgument(field, 'default');
  // Prisma reads a list that is NULL as an empty one.
  if (value === undefined) return field.isList ? quoted('[]') : undefined;
  const { kind, text, given } = value;
  if (kind === 'call') {
    if (text === 'uuid' && column.type === 'uuid') return 'gen_random_uuid()';
    // `dbgenerated("gen_random_uuid()")`
    return (text === 'dbgenerated' && given.get('0')?.text) || `${text}()`;
  }
  if (kind !== 'list') return literalSql(textIn(value, column), column.type);
  return quoted(JSON.stringify([...given.values()].map((item) => itemIn(item, column))));
}

interface ColumnType {
  readonly type: string;
  /** Only enums have them. */
  readonly values: PrismaEnum['values'] | undefined;
}

const textIn = ({ text }: PrismaValue, { values }: ColumnType): string =>
  values?.find(({ name }) => name === text)?.stored ?? text;

/** Numbers and booleans stand without quotes. */
function itemIn(value: PrismaValue, column: ColumnType): unknown {
  const text = textIn(value, column);
  const isJson =
    column.type === 'jsonb[]' || (value.kind !== 'quoted' && column.values === undefined);
  return isJson ? (parseJson(text) ?? text) : text;
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Prisma writes a date and time even if the column keeps only one of them. */
function literalSql(text: string, type: string): string {
  if (type === 'bytea') return `X'${Buffer.from(text, 'base64').toString('hex')}'`;
  if (type === 'date') return quoted(text.slice(0, '2026-01-01'.length));
  if (type === 'time') return quoted(/T([\d:.]+)/.exec(text)?.[1] ?? text);
  return quoted(text);
}

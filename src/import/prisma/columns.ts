import type { FoundColumn } from '../catalogue.ts';
import type { PrismaField, PrismaModel, PrismaSchema } from './schema.ts';
import { defaultSql } from './defaults.ts';
import { findAttribute, calledBy, findMapping, readNumbers } from './values.ts';

type Types = Pick<PrismaSchema, 'models' | 'enums'>;

/** The columns of fields, without relations. */
export function listColumns(model: PrismaModel, { models, enums }: Types): readonly FoundColumn[] {
  const isModel = ({ type }: PrismaField) => models.some(({ name }) => name === type);
  const times = keptTimes(model);
  return model.fields
    .filter((field) => !isModel(field))
    .map((field): FoundColumn => {
      const values = enums.find(({ name }) => name === field.type)?.values;
      const type = values ? `${field.type}${field.isList ? '[]' : ''}` : choosePostgresType(field);
      const made = calledBy(findAttribute(field, 'default')?.values[0]);
      const isOfUpdate = findAttribute(field, 'updatedAt') !== undefined && field !== times.updated;
      return {
        name: field.name,
        stored: findMapping(field) ?? field.name,
        written: [field.place, `${model.name}.${field.name} ${field.written}`],
        comment: field.description,
        type,
        nullable: field.isOptional,
        default: isOfUpdate ? 'now()' : defaultSql(field, { type, values }),
        isCounted: isId(field) && made === 'autoincrement',
        collation: field.type === 'String' && !field.isList ? 'default' : undefined,
        role: field === times.created ? 'created' : field === times.updated ? 'updated' : undefined,
        made: madeTexts[made ?? ''],
        lost: isOfUpdate ? 'it is set when a row is created, not on every change' : undefined,
      };
    });
}

const isId = (field: PrismaField) =>
  field.name === 'id' || findAttribute(field, 'id') !== undefined;

const madeTexts: Readonly<Record<string, string>> = {
  uuid: 'uuid text',
  cuid: 'cuid',
  ulid: 'ulid',
  nanoid: 'nanoid',
};

/** Types of columns without `@db`. */
const usualTypes: Readonly<Record<string, string>> = {
  String: 'character varying',
  Int: 'integer',
  BigInt: 'bigint',
  Float: 'double precision',
  Decimal: 'numeric',
  Boolean: 'boolean',
  DateTime: 'timestamp',
  Json: 'jsonb',
  Bytes: 'bytea',
};

/** The type in PostgreSQL's words. A text without a length is a short text, unless `@db` says otherwise. */
function choosePostgresType(field: PrismaField): string {
  const usual = usualTypes[field.type];
  if (usual === undefined) return field.type;
  if (field.isList) return `${usual}[]`;
  if (field.type === 'String') return textType(field);
  if (field.type === 'DateTime') return timeType(field);
  const digits = readNumbers(findAttribute(field, 'db.Decimal')).join(',');
  return digits === '' ? usual : `numeric(${digits})`;
}

function textType(field: PrismaField): string {
  const [most] = readNumbers(findAttribute(field, 'db.VarChar'));
  if (most !== undefined) return `character varying(${most})`;
  const [size] = readNumbers(findAttribute(field, 'db.Char'));
  if (size !== undefined) return `character(${size})`;
  const own = ['Citext', 'Uuid', 'Text'].find((name) => findAttribute(field, `db.${name}`));
  const isMade = calledBy(findAttribute(field, 'default')?.values[0]) === 'uuid' && !isId(field);
  return own?.toLowerCase() ?? (isMade ? 'uuid' : 'character varying');
}

/** `timestamp(3)`, unless `@db` says otherwise. */
function timeType(field: PrismaField): string {
  const own = ['Date', 'Time', 'Timetz'].find((name) => findAttribute(field, `db.${name}`));
  if (own !== undefined) return own.replace('tz', '').toLowerCase();
  const zoned = findAttribute(field, 'db.Timestamptz');
  const typed = zoned ?? findAttribute(field, 'db.Timestamp');
  const [digits] = typed === undefined ? [3] : readNumbers(typed);
  const size = digits === undefined ? '' : `(${digits})`;
  return `timestamp${size} ${zoned === undefined ? 'without' : 'with'} time zone`;
}

function keptTimes({ fields }: PrismaModel) {
  const moments = fields.filter(
    (it) => it.type === 'DateTime' && !it.isList && timeType(it).startsWith('timestamp'),
  );
  return {
    created: moments.find(
      (field) =>
        /^(?:created|inserted)/i.test(field.name) &&
        calledBy(findAttribute(field, 'default')?.values[0]) === 'now' &&
        findAttribute(field, 'updatedAt') === undefined,
    ),
    updated: moments.find((field) => findAttribute(field, 'updatedAt') !== undefined),
  };
}

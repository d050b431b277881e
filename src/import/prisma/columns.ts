import type { FoundColumn } from '../catalogue.ts';
import { defaultSql } from './defaults.ts';
import {
  findAttribute,
  findMaker,
  findMapping,
  type PrismaField,
  type PrismaModel,
} from './schema.ts';
import type { PrismaTypes } from './type-names.ts';

/** The columns of the fields that are not sides of a relation. */
export function columnsOf(model: PrismaModel, types: PrismaTypes): readonly FoundColumn[] {
  const times = keptTimes(model);
  return model.fields
    .filter(({ type }) => !types.models.has(type))
    .map((field): FoundColumn => {
      const values = types.enums.get(field.type)?.values;
      const type = values ? `${field.type}${field.isList ? '[]' : ''}` : postgresTypeOf(field);
      const made = findMaker(field);
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

/** In PostgreSQL's words, without `@db` and with it; its numbers take the place of `#`. */
const postgresTypes: Readonly<Record<string, string>> = {
  String: 'character varying',
  Int: 'integer',
  BigInt: 'bigint',
  Float: 'double precision',
  Decimal: 'numeric',
  Boolean: 'boolean',
  DateTime: 'timestamp(3) without time zone',
  Json: 'jsonb',
  Bytes: 'bytea',
  'db.VarChar': 'character varying#',
  'db.Char': 'character#',
  'db.Citext': 'citext',
  'db.Uuid': 'uuid',
  'db.Text': 'text',
  'db.Decimal': 'numeric#',
  'db.Date': 'date',
  'db.Time': 'time',
  'db.Timetz': 'time',
  'db.Timestamp': 'timestamp# without time zone',
  'db.Timestamptz': 'timestamp# with time zone',
};

/** A text without a length is a short one, unless `@db` gives another. */
function postgresTypeOf(field: PrismaField): string {
  const usual = postgresTypes[field.type];
  if (usual === undefined) return field.type;
  if (field.isList) return `${usual}[]`;
  const [native] = field.attributes.flatMap(({ name, given }) => {
    const digits = [...given.values()].map(({ text }) => text).join(',');
    const size = digits === '' ? '' : `(${digits})`;
    return postgresTypes[name]?.replace('#', size) ?? [];
  });
  const isMade = field.type === 'String' && findMaker(field) === 'uuid' && !isId(field);
  return native ?? (isMade ? 'uuid' : usual);
}

/** The times that Prisma keeps by itself. */
function keptTimes({ fields }: PrismaModel) {
  const moments = fields.filter(
    (it) => it.type === 'DateTime' && !it.isList && postgresTypeOf(it).startsWith('timestamp'),
  );
  return {
    created: moments.find(
      (field) =>
        /^(?:created|inserted)/i.test(field.name) &&
        findMaker(field) === 'now' &&
        findAttribute(field, 'updatedAt') === undefined,
    ),
    updated: moments.find((field) => findAttribute(field, 'updatedAt') !== undefined),
  };
}

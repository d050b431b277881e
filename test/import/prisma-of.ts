import type { App, Field, Model } from '../../src/model/app.ts';
import { findEnum, getField } from '../../src/model/lookups.ts';
import type { Json } from '../../src/types/field-type.ts';

/** An app in the words of Prisma, as far as it has them, in alphabetical order: for a client beside the server. */
export function prismaOf(app: App): string {
  const used = app.models.flatMap(({ fields }) => fields.map((field) => findEnum(field, app)));
  return [
    'datasource db {\n  provider = "postgresql"\n}\n',
    ...app.enums
      .filter((it) => used.includes(it))
      .map(({ name, values }) =>
        block(
          `enum ${name}`,
          values.map(({ value }) => value),
        ),
      ),
    ...app.models.map((model) => modelBlock(model, app)),
  ].join('\n');
}

const block = (head: string, lines: readonly string[]) =>
  `${head} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;

function modelBlock(model: Model, app: App): string {
  const { names, table, fields, description } = model;
  return `${comment(description)}${block(`model ${names.type}`, [
    ...fields.map((field) => fieldLine(field, model)).toSorted(),
    ...relationLines(model, app).toSorted(),
    ...groupLines(model).toSorted(),
    `@@map("${table}")`,
  ])}`;
}

const comment = (description: string | undefined) =>
  description === undefined ? '' : `/// ${description.replaceAll(/\s+/g, ' ').trim()}\n`;

const types: Readonly<Record<Field['type']['kind'], string>> = {
  string: 'String',
  email: 'String',
  url: 'String',
  text: 'String @db.Text',
  int: 'Int',
  id: 'BigInt',
  bigint: 'BigInt',
  float: 'Float',
  decimal: 'Decimal',
  bool: 'Boolean',
  date: 'DateTime @db.Date',
  time: 'DateTime @db.Time(3)',
  datetime: 'DateTime @db.Timestamptz(3)',
  uuid: 'String @db.Uuid',
  json: 'Json',
  bytes: 'Bytes',
  'string[]': 'String[]',
  'int[]': 'Int[]',
  enum: '',
};

function fieldLine(field: Field, { unique }: Model): string {
  const { name, column, nullable, role, type, max } = field;
  const [scalar = '', native] = types[type.kind].split(' ');
  const isList = scalar.endsWith('[]');
  const isBounded = scalar === 'String' && native === undefined && max !== undefined;
  const isUnique = unique.some((it) => it.where === undefined && it.fields.join() === name);
  const words = [
    name,
    `${type.kind === 'enum' ? type.enum : scalar}${nullable && !isList ? '?' : ''}`,
    role === 'id' && '@id',
    isUnique && '@unique',
    role === 'updated_at' ? '@updatedAt' : defaultOf(field),
    type.kind === 'decimal' && `@db.Decimal(${type.precision}, ${type.scale})`,
    isBounded ? `@db.VarChar(${max})` : native,
    column !== name && `@map("${column}")`,
  ];
  return `${role === 'key' ? '' : comment(field.description)}${words.filter(Boolean).join(' ')}`;
}

function defaultOf({ default: initial, type, role }: Field): string | undefined {
  if (role === 'id' && type.kind === 'id') return '@default(autoincrement())';
  // Prisma reads a list that is NULL as an empty one.
  if (initial === undefined) return type.kind.endsWith('[]') ? '@default([])' : undefined;
  if (initial.kind === 'literal') return `@default(${literal(initial.value, type.kind)})`;
  const maker = initial.kind === 'key' ? initial.maker : initial.kind;
  return `@default(${maker.replace(' text', '')}())`;
}

/** Numbers of 64 bits and decimals are texts in an app. */
function literal(value: Json, kind: Field['type']['kind']): string {
  if (kind === 'json') return JSON.stringify(JSON.stringify(value));
  if (kind === 'date') return `"${String(value)}T00:00:00Z"`;
  if (kind === 'time') return `"1970-01-01T${String(value)}Z"`;
  if (kind === 'bigint' || kind === 'decimal' || kind === 'enum') return String(value);
  return JSON.stringify(value);
}

/** Each of our indexes ends with the id, in the direction of the key before it. */
function groupLines({ unique, indexes }: Model): string[] {
  const groups = unique.filter((it) => it.where === undefined && it.fields.length > 1);
  const uniques = groups.map(({ fields }) => fields.join(', '));
  const orders = indexes
    .filter((it) => it.where === undefined)
    .map(({ keys }) => {
      const [before, last] = keys.slice(-2);
      const isEnd = last?.field === 'id' && before?.descending === last.descending;
      const named = isEnd ? keys.slice(0, -1) : keys;
      return named.map((it) => `${it.field}${it.descending ? '(sort: Desc)' : ''}`).join(', ');
    })
    // Fields that are unique only among rows that are not deleted have no index for all rows here.
    .filter((names) => !uniques.some((it) => it.startsWith(`${names}, `)));
  return [
    ...uniques.map((names) => `@@unique([${names}])`),
    ...orders.map((names) => `@@index([${names}])`),
  ];
}

/** Prisma wants both sides of each relation; one through a model of its own becomes relations of that model. */
function relationLines({ names: { type } }: Model, app: App): string[] {
  return app.models.flatMap((model) =>
    model.relations.flatMap((it) => {
      const { names } = model;
      if (it.kind === 'inverse') return [];
      const back = it.inverse ?? `${names.variable}_${it.name}`;
      if (it.kind === 'one') {
        const name = `@relation("${names.type}.${it.name}"`;
        const { nullable, unique } = getField(model, it.key);
        const many = unique ? '?' : '[]';
        const one = `${it.name} ${it.target}${nullable ? '?' : ''} ${name}, fields: [${it.key}], references: [id], onDelete: ${actions[it.onDelete]}, onUpdate: ${it.onUpdate === undefined ? 'NoAction' : 'Cascade'})`;
        return [
          ...(names.type === type ? [one] : []),
          ...(it.target === type ? [`${back} ${names.type}${many} ${name})`] : []),
        ];
      }
      if (it.through !== undefined || it.idsField === undefined) return [];
      const sides = [`${names.type}.${it.name}`, `${it.target}.${back}`].toSorted();
      const name = `@relation("${sides.join(' ')}")`;
      return [
        ...(names.type === type ? [`${it.name} ${it.target}[] ${name}`] : []),
        ...(it.target === type ? [`${back} ${names.type}[] ${name}`] : []),
      ];
    }),
  );
}

const actions = { restrict: 'Restrict', cascade: 'Cascade', set_null: 'SetNull' };

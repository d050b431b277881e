import type { FoundKey, FoundTable } from '../catalogue.ts';
import type { PrismaField, PrismaModel } from './schema.ts';
import { findAttribute, namesIn, unquote } from './values.ts';

type PrismaModels = ReadonlyMap<string, PrismaModel>;

export function listForeignKeys(model: PrismaModel, models: PrismaModels): readonly FoundKey[] {
  return model.fields.flatMap((field) => {
    const target = models.get(field.type);
    const columns = listColumnNames(field, 'fields');
    if (target === undefined || columns.length === 0) return [];
    const keys = model.fields.filter(({ name }) => columns.includes(name));
    return [
      {
        columns,
        table: target.name,
        targets: listColumnNames(field, 'references'),
        onDelete: readOnDelete(field, keys),
        onUpdate: onUpdate(field),
        ...relationSides(model, field, target),
        comment: field.description,
      },
    ];
  });
}

const listColumnNames = (field: PrismaField, part: 'fields' | 'references') =>
  namesIn(findAttribute(field, 'relation')?.named.get(part)).map(({ name }) => name);

/** The names of a relation on both sides. */
function relationSides(model: PrismaModel, field: PrismaField, target: PrismaModel) {
  const opposite = otherSide(model, field, target);
  return {
    relation: field.name,
    written: [field.place, `${model.name}.${field.name}`] as const,
    inverse: opposite && {
      name: opposite.name,
      written: [opposite.place, `${target.name}.${opposite.name}`] as const,
    },
  };
}

/** Prisma's default is to set the key of an optional relation to null. */
function readOnDelete(field: PrismaField, keys: readonly PrismaField[]): string {
  const action = unquote(findAttribute(field, 'relation')?.named.get('onDelete'));
  if (action === 'Cascade') return 'cascade';
  const isOptional = keys.some((it) => it.isOptional);
  return isOptional && (action ?? 'SetNull') === 'SetNull' ? 'set null' : 'restrict';
}

/** Prisma's default is to cascade. */
function onUpdate(field: PrismaField): string {
  const action = unquote(findAttribute(field, 'relation')?.named.get('onUpdate'));
  return (action ?? 'Cascade') === 'Cascade' ? 'cascade' : 'restrict';
}

/** If a relation is named, both sides have the name. */
function otherSide(
  model: PrismaModel,
  field: PrismaField,
  target: PrismaModel,
): PrismaField | undefined {
  return target.fields.find(
    (it) =>
      it !== field &&
      it.type === model.name &&
      findRelationName(it) === findRelationName(field) &&
      !holdsKey(it),
  );
}

function findRelationName(field: PrismaField): string | undefined {
  const relation = findAttribute(field, 'relation');
  return unquote(relation?.values[0] ?? relation?.named.get('name'));
}

const holdsKey = (field: PrismaField) =>
  findAttribute(field, 'relation')?.named.has('fields') === true;

/** The join table of two lists, with the columns of the alphabetically first model or field first. */
export function listJoins(model: PrismaModel, models: PrismaModels): readonly FoundTable[] {
  return model.fields.flatMap((field) => {
    const target = models.get(field.type);
    const opposite = target && otherSide(model, field, target);
    if (target === undefined || !field.isList || opposite?.isList !== true) return [];
    const isFirst =
      model === target
        ? model.fields.indexOf(field) < model.fields.indexOf(opposite)
        : model.name < target.name;
    return isFirst ? [makeJoin(model, field, target)] : [];
  });
}

function makeJoin(model: PrismaModel, field: PrismaField, target: PrismaModel): FoundTable {
  const type = '';
  const keyTo = (column: string, { name }: PrismaModel): FoundKey => ({
    columns: [column],
    table: name,
    targets: [],
    onDelete: 'cascade',
    onUpdate: 'cascade',
    ...(column === 'A' && relationSides(model, field, target)),
  });
  return {
    name: `_${findRelationName(field) ?? `${model.name}To${target.name}`}`,
    isJoin: true,
    columns: ['A', 'B'].map((name) => ({ name, type, nullable: false })),
    primaryKey: ['A', 'B'],
    foreignKeys: [keyTo('A', model), keyTo('B', target)],
    indexes: [],
    checks: [],
  };
}

import { keyName } from '../../naming/name.ts';
import type { Naming, UpdateRule } from '../../schema/language.ts';
import type { DraftRelation } from '../draft.ts';
import type { Notebook } from '../notes.ts';
import { keptKeyOf } from './keys.ts';
import { otherColumn } from './naming.ts';
import type { PrismaField, PrismaModel } from './schema.ts';
import { attribute, namesOf, textOf } from './values.ts';

export interface RelationScope {
  readonly models: ReadonlyMap<string, PrismaModel>;
  readonly naming: Naming;
  readonly notes: Notebook;
}

export interface ConvertedRelations {
  readonly relations: ReadonlyMap<string, DraftRelation>;
  /** The relation that a column is the key of now, by the name of the column. */
  readonly keys: ReadonlyMap<string, string>;
}

/** The relations whose keys a model holds, and the many-to-many ones that are declared here. */
export function convertRelations(model: PrismaModel, scope: RelationScope): ConvertedRelations {
  const relations = new Map<string, DraftRelation>();
  const keys = new Map<string, string>();
  for (const field of model.fields) {
    const target = scope.models.get(field.type);
    if (target === undefined) continue;
    const opposite = otherSide(model, field, target);
    if (field.isList) {
      const pairs = opposite?.isList === true ? pairsOf(model, field, target, opposite) : undefined;
      if (pairs !== undefined) {
        relations.set(field.name, pairs);
        scope.notes.changed(
          field.place,
          `${model.name}.${field.name}`,
          'many-to-many; the table for the pairs has another name',
        );
      }
      continue;
    }
    const [key, ...more] = namesOf(attribute(field, 'relation')?.named.get('fields'));
    if (key === undefined) continue;
    const column = model.fields.find(({ name }) => name === key.name);
    const why =
      more.length > 0 ? 'its key has several columns' : obstacle(field, target, keys.has(key.name));
    if (why !== undefined || column === undefined) {
      scope.notes.left(
        field.place,
        `${model.name}.${field.name}`,
        `${why}; the columns stay, as fields`,
      );
      if (opposite !== undefined) {
        const back = `${target.name}.${opposite.name}`;
        scope.notes.left(opposite.place, back, 'its other side is left out');
      }
      continue;
    }
    scope.notes.exact();
    keys.set(key.name, field.name);
    relations.set(field.name, {
      ...toOne(field, column, target, opposite),
      ...(!isIndexed(column, model) && { index: false as const }),
      column: otherColumn(keyName(field.name, scope.naming.api), column, scope.naming),
    });
  }
  return { relations, keys };
}

function toOne(
  field: PrismaField,
  column: PrismaField,
  target: PrismaModel,
  opposite: PrismaField | undefined,
): DraftRelation {
  const { isOptional } = column;
  return {
    to: target.name,
    ...(isOptional && { optional: true }),
    ...((attribute(column, 'unique') ?? attribute(column, 'id')) && { unique: true }),
    ...onDelete(field, isOptional),
    on_update: onUpdate(field),
    inverse: opposite?.name,
    description: field.description,
  };
}

/** Whether rows are found by it, alone or before others. */
function isIndexed(column: PrismaField, { attributes }: PrismaModel): boolean {
  if (attribute(column, 'unique') ?? attribute(column, 'id')) return true;
  const groups = attributes.filter(({ name }) => ['id', 'unique', 'index'].includes(name));
  return groups.some(({ values, named }) => {
    const [first] = namesOf(values[0] ?? named.get('fields'));
    return first?.name === column.name && (textOf(named.get('type')) ?? 'BTree') === 'BTree';
  });
}

/** Prisma sets the key of an optional relation to null where nothing is said. */
function onDelete(field: PrismaField, isOptional: boolean): Pick<DraftRelation, 'on_delete'> {
  const said = textOf(attribute(field, 'relation')?.named.get('onDelete'));
  if (said === 'Cascade') return { on_delete: 'cascade' };
  return isOptional && (said ?? 'SetNull') === 'SetNull' ? { on_delete: 'set_null' } : {};
}

/** Prisma hands on another key where nothing is said. */
function onUpdate(field: PrismaField): UpdateRule {
  const said = textOf(attribute(field, 'relation')?.named.get('onUpdate'));
  return (said ?? 'Cascade') === 'Cascade' ? 'cascade' : 'restrict';
}

function obstacle(field: PrismaField, target: PrismaModel, isTaken: boolean): string | undefined {
  const [led] = namesOf(attribute(field, 'relation')?.named.get('references'));
  if (led?.name !== keptKeyOf(target)?.name)
    return `it leads to \`${led?.name}\` of ${target.name}, which is not its key`;
  return isTaken ? 'another relation has the same key' : undefined;
}

/** Both sides of a relation have its name, where it has one. */
function otherSide(
  model: PrismaModel,
  field: PrismaField,
  target: PrismaModel,
): PrismaField | undefined {
  return target.fields.find(
    (it) => it !== field && it.type === model.name && nameOf(it) === nameOf(field) && !holdsKey(it),
  );
}

function nameOf(field: PrismaField): string | undefined {
  const relation = attribute(field, 'relation');
  return textOf(relation?.values[0] ?? relation?.named.get('name'));
}

const holdsKey = (field: PrismaField) => attribute(field, 'relation')?.named.has('fields') === true;

/** It is declared once: on the model that comes first in the alphabet, or by the first field. */
function pairsOf(
  model: PrismaModel,
  field: PrismaField,
  target: PrismaModel,
  opposite: PrismaField,
): DraftRelation | undefined {
  const isFirst =
    model === target
      ? model.fields.indexOf(field) < model.fields.indexOf(opposite)
      : model.name < target.name;
  return isFirst ? { to: target.name, many: true, inverse: opposite.name } : undefined;
}

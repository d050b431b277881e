import { columnName } from '../../schema/rules/member-facts.ts';
import type { Naming } from '../../schema/language.ts';
import { caseOf } from '../naming.ts';
import type { Notebook } from '../notes.ts';
import {
  attribute,
  calledBy,
  type PrismaField,
  type PrismaModel,
  type PrismaSchema,
  textOf,
} from './read.ts';

/** The case that most names of several words have, in the schema and in the database. */
export function namingOf({ models }: PrismaSchema): Naming {
  const types = new Set(models.map(({ name }) => name));
  const fields = models.flatMap((it) => it.fields).filter(({ type }) => !types.has(type));
  return {
    api: caseOf(fields.map(({ name }) => name)),
    columns: caseOf(fields.map(columnOf)),
  };
}

/** What the database calls it. */
export const columnOf = (field: PrismaField) =>
  textOf(attribute(field, 'map')?.values[0]) ?? field.name;

/** The column that the schema has to name, since another one would be meant. */
export function otherColumn(name: string, field: PrismaField, naming: Naming): string | undefined {
  const column = columnOf(field);
  return column === columnName(name, naming) ? undefined : column;
}

/** The times that the server keeps by itself. */
export interface Times {
  readonly created?: PrismaField | undefined;
  readonly updated?: PrismaField | undefined;
}

export function timesOf({ fields }: PrismaModel): Times {
  const all = fields.filter((field) => isMoment(field) && !field.isList);
  return {
    created: all.find(
      (field) =>
        !field.isOptional &&
        /^(?:created|inserted)/i.test(field.name) &&
        calledBy(attribute(field, 'default')?.values[0]) === 'now' &&
        attribute(field, 'updatedAt') === undefined,
    ),
    updated: all.find((field) => attribute(field, 'updatedAt') !== undefined),
  };
}

export const isMoment = ({ type, attributes }: PrismaField) =>
  type === 'DateTime' && !attributes.some(({ name }) => /^db\.(?:Date|Time|Timetz)$/.test(name));

/** Their columns are named after them. */
export function noteTimes(model: PrismaModel, times: Times, naming: Naming, notes: Notebook): void {
  for (const field of [times.created, times.updated]) {
    if (field === undefined) continue;
    const isOther = otherColumn(field.name, field, naming) !== undefined;
    const losses = [
      ...(isOther ? [`its column is called \`${columnName(field.name, naming)}\``] : []),
      ...(field.isOptional ? ['each row has it'] : []),
    ];
    if (losses.length === 0) notes.exact();
    else notes.changed(field.place, `${model.name}.${field.name}`, losses.join('; '));
  }
}

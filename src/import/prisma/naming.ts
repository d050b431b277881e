import { columnName } from '../../schema/rules/member-facts.ts';
import type { Naming } from '../../schema/language.ts';
import { legalName } from '../legal-name.ts';
import { caseOf } from '../naming.ts';
import type { Notebook } from '../notes.ts';
import type { PrismaField, PrismaModel, PrismaSchema } from './schema.ts';
import { attribute, calledBy, mappedTo } from './values.ts';

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
export const columnOf = (field: PrismaField) => mappedTo(field) ?? field.name;

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
        /^(?:created|inserted)/i.test(field.name) &&
        calledBy(attribute(field, 'default')?.values[0]) === 'now' &&
        attribute(field, 'updatedAt') === undefined,
    ),
    updated: all.find((field) => attribute(field, 'updatedAt') !== undefined),
  };
}

export const isMoment = ({ type, attributes }: PrismaField) =>
  type === 'DateTime' && !attributes.some(({ name }) => /^db\.(?:Date|Time|Timetz)$/.test(name));

/** Its column is named after it: so it is called as that is, where another case than that of most would have to be. */
export function timeName(field: PrismaField, naming: Naming): string {
  const column = otherColumn(field.name, field, naming) ?? field.name;
  const mayBe = legalName(column) === column && columnName(column, naming) === column;
  return mayBe ? column : field.name;
}

export function noteTimes(model: PrismaModel, times: Times, naming: Naming, notes: Notebook): void {
  for (const field of [times.created, times.updated]) {
    if (field === undefined) continue;
    const name = timeName(field, naming);
    const isOther = otherColumn(name, field, naming) !== undefined;
    const losses = [
      ...(name === field.name ? [] : [`\`${name}\`, as its column`]),
      ...(isOther ? [`its column is called \`${columnName(name, naming)}\``] : []),
    ];
    if (losses.length === 0) notes.exact();
    else notes.changed(field.place, `${model.name}.${field.name}`, losses.join('; '));
  }
}

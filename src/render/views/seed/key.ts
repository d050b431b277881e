import { type App, type Model, findModel, type ToOne, findToOne } from '../../../model/app.ts';
import { spellVariable } from '../../../naming/name.ts';

/** A relation whose key a row holds. */
export interface RowKey {
  readonly relation: ToOne;
  readonly column: string;
  readonly target: Model;
  /** The name of the row that it leads to. */
  readonly variable: string;
}

export function keysIn(model: Model, app: App): readonly RowKey[] {
  return model.fields.flatMap(({ relation: name, column, role }) => {
    const relation = findToOne(model, name);
    const target = findModel(relation?.target ?? '', app);
    if (role !== 'key' || relation === undefined || target === undefined) return [];
    return [{ relation, column, target, variable: spellVariable(relation.name, taken) }];
  });
}

/** Variables of the emitted file. */
const taken = 'draw end enums hours made moments reached rows state table'.split(' ');

/** What holds a value of a row, beside what holds those above it. */
export function variableOf(column: string, { relations }: Model): string {
  return spellVariable(column, [
    ...taken,
    ...relations.map(({ name }) => spellVariable(name, taken)),
  ]);
}

/** `lease.tenant_id` */
export const valueAbove = ({ relation, variable }: RowKey, column: string) =>
  `${variable}${relation.optional ? '?.' : '.'}${column}`;

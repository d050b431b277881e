import type { App, Model, ToOneRelation } from '../../../model/app.ts';
import { findModel, findToOne } from '../../../model/lookups.ts';
import { spellVariable } from '../../../naming/name.ts';
import { givenBy } from '../members.ts';

/** A relation whose key a row holds. */
export interface RowKey {
  readonly relation: ToOneRelation;
  readonly column: string;
  readonly target: Model;
  /** Whether some rows lack it; members always have an account. */
  readonly isOptional: boolean;
  /** The name of the row that it leads to. */
  readonly variable: string;
}

export function keysIn(model: Model, app: App): readonly RowKey[] {
  return model.fields.flatMap(({ name, relation: of, column, role }) => {
    const relation = findToOne(model, of);
    const target = findModel(relation?.target ?? '', app);
    if (role !== 'key' || relation === undefined || target === undefined) return [];
    const isOptional =
      relation.optional && !givenBy(model, app).some(({ kind }) => kind.user === name);
    const variable = spellVariable(relation.name, taken);
    return [{ relation, column, target, isOptional, variable }];
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
export const valueAbove = ({ isOptional, variable }: RowKey, column: string) =>
  `${variable}${isOptional ? '?.' : '.'}${column}`;

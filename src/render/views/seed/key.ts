import type { App, Field, Model, ToOneRelation } from '../../../model/app.ts';
import { getTarget } from '../../../model/lookups.ts';
import { spellVariable } from '../../../naming/name.ts';
import { membershipsBy } from '../members.ts';

/** A relation of a row whose key it has. */
export interface RowKey {
  readonly relation: ToOneRelation;
  readonly field: Field;
  readonly target: Model;
  /** Whether some rows have no key. A key of members is always set. */
  readonly isOptional: boolean;
  /** The variable of the row that it leads to. */
  readonly variable: string;
}

export function keysIn(model: Model, app: App): readonly RowKey[] {
  const keys = model.fields.filter(({ role }) => role === 'key');
  return keys.map((field) => {
    const { relation, target } = getTarget(model, field.relation ?? '', app);
    const isOfMember = membershipsBy(model, app).some(({ kind }) => kind.user === field.name);
    const isOptional = field.nullable && !isOfMember;
    return {
      relation,
      field,
      target,
      isOptional,
      variable: spellVariable(relation.name, ownNames),
    };
  });
}

/** Other variables of the emitted file. */
const ownNames = 'draw end enums hours made moments reached rows state table'.split(' ');

/** The variable for a value of a row, different from those of the rows above. */
export function chooseVariable(column: string, { relations }: Model): string {
  return spellVariable(column, [
    ...ownNames,
    ...relations.map(({ name }) => spellVariable(name, ownNames)),
  ]);
}

/** Prints a value of the row above: `lease.tenant_id`. */
export const valueAbove = ({ isOptional, variable }: RowKey, column: string) =>
  `${variable}${isOptional ? '?.' : '.'}${column}`;

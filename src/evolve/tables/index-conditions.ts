import type { Model } from '../../model/app.ts';
import { getField } from '../../model/lookups.ts';
import type { Comparison } from '../../schema/entry.ts';
import { readValue } from '../../types/all.ts';
import { type Dialect, storageOf } from '../dialect.ts';
import type { IndexCondition } from './table.ts';

export const withCondition = (where: readonly IndexCondition[]) =>
  where.length === 0 ? {} : { where };

/** A comparison of a field with literals, for a partial index. */
export function resolveIndexCondition(
  { path, operator, values }: Comparison,
  model: Model,
  dialect: Dialect,
): IndexCondition {
  const field = getField(model, path.join('.'));
  const { literal } = storageOf(field.type, dialect);
  const literals = values.flatMap((it) =>
    it.kind === 'literal' ? [literal(readValue(field.type, it.text))] : [],
  );
  return { column: field.column, operator, literals };
}

export const nullCondition = (column: string): IndexCondition => ({
  column,
  operator: 'is null',
  literals: [],
});

/** The part behind the column. */
export function conditionSql({
  operator,
  literals,
}: Pick<IndexCondition, 'operator' | 'literals'>): string {
  switch (operator) {
    case 'in':
      return `IN (${literals.join(', ')})`;
    case 'is null':
    case 'is not null':
      return operator.toUpperCase();
    case '!=':
      return `<> ${literals.join()}`;
    default:
      return `${operator} ${literals.join()}`;
  }
}

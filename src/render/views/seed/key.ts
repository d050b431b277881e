import { type App, type Model, findModel, type ToOne, findToOne } from '../../../model/app.ts';
import { spellVariable } from '../../../naming/name.ts';

/** What rows are drawn with: modules that the file imports, and what the function that draws a row is given. */
export type DrawSource = 'draw' | 'enums' | 'rows' | 'rows.filled';

/** Notes what is used when a call of it is printed. */
export type Use = (source: DrawSource) => DrawSource;

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
const taken = ['draw', 'enums', 'hours', 'made', 'moments', 'reached', 'rows', 'state', 'table'];

/** What holds a value of a row, beside what holds those above it. */
export function variableOf(column: string, { relations }: Model): string {
  return spellVariable(column, [
    ...taken,
    ...relations.map(({ name }) => spellVariable(name, taken)),
  ]);
}

export const dot = ({ relation }: RowKey) => (relation.optional ? '?.' : '.');

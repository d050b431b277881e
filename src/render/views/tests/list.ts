import type { Json, Model } from '../../../model/app.ts';
import { code, type Code } from '../../code.ts';
import { tsValue } from '../../typescript.ts';
import type { ExampleRows } from './example-rows.ts';
import { filterCases, orderCases } from './list-cases.ts';

/** `GET /api/posts/`: queries, and the rows that they list. */
export function listView(model: Model, rows: ExampleRows) {
  return {
    filters: grid(filterCases(model, rows).map(({ query, listed }) => [query, listed])),
    orders: grid(
      orderCases(model, rows).map(({ field, ascending, descending }) => [
        field,
        ascending,
        descending,
      ]),
    ),
    hidden: hiddenNames(model) ?? false,
  };
}

const grid = (lines: readonly Json[]) => code(tsValue(lines));

/** `['password', 'pin']`, or nothing. */
export function hiddenNames(model: Model): Code | undefined {
  const names = model.fields.filter(({ hidden }) => hidden).map(({ name }) => name);
  return names.length === 0 ? undefined : code(tsValue(names));
}

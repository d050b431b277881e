import type { Json, Model } from '../../../model/app.ts';
import { code } from '../../code.ts';
import { tsValue } from '../../typescript.ts';
import type { ExampleRows } from './example-rows.ts';
import { objectOf } from './printed.ts';
import { filterCases, orderCases } from './list-cases.ts';

/** `GET /api/posts/`: queries, and the rows that they list. */
export function listView(model: Model, rows: ExampleRows) {
  const hidden = model.fields.filter((field) => field.hidden).map(({ name }) => name);
  const make = `api.make.${model.names.variable}`;
  const made = rows.brief ? ['full', 'brief'] : ['full'];
  return {
    rows: objectOf(made.map((name) => `${name}: () => ${make}(${name})`)),
    filters: grid(filterCases(model, rows).map(({ query, listed }) => [query, listed])),
    orders: grid(
      orderCases(model, rows).map(({ field, ascending, descending }) => [
        field,
        ascending,
        descending,
      ]),
    ),
    hidden: hidden.length > 0 && code(tsValue(hidden)),
  };
}

const grid = (lines: readonly Json[]) => code(tsValue(lines));

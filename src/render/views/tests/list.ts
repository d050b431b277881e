import type { App, Json, Model } from '../../../model/app.ts';
import { code } from '../../code.ts';
import { tsValue } from '../../typescript.ts';
import { type ExampleRows, isRequired, targetOf } from './example-rows.ts';
import { objectOf } from './printed.ts';
import { filterCases, orderCases } from './list-cases.ts';

/** `GET /api/posts/`: queries, and the rows that they list. */
export function listView(model: Model, rows: ExampleRows, app: App) {
  const hidden = model.fields.filter((field) => field.hidden).map(({ name }) => name);
  const make = `api.make.${model.names.variable}`;
  const made = rows.brief ? ['full', 'brief'] : ['full'];
  return {
    rows: objectOf(made.map((name) => `${name}: () => ${make}(${name})`)),
    only: String(comeWithUsers(app).has(model)),
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

/** The models of which a test that signs somebody in makes rows: users, and what these must point to. */
function comeWithUsers(app: App): ReadonlySet<Model> {
  const found = new Set(app.models.filter(({ names }) => names.type === 'User'));
  for (const model of found) {
    for (const key of model.fields.filter(({ role }) => role === 'key').filter(isRequired)) {
      const target = targetOf(key, model, app);
      if (target !== undefined) found.add(target);
    }
  }
  return found;
}

const grid = (lines: readonly Json[]) => code(tsValue(lines));
